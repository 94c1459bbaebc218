import type { ClientCapabilities, ElicitResult } from '@modelcontextprotocol/server';
import { expect, it } from 'vitest';
import type { Form, FormReply } from '../../src/core/forms.js';
import { canShowForms, toElicitation, toReply } from '../../src/mcp/forms.js';

it.each<[string, ClientCapabilities, boolean]>([
  ['that declares forms', { elicitation: { form: {} } }, true],
  ['that declares forms and pages', { elicitation: { form: {}, url: {} } }, true],
  ['of before 2025-11-25, which declares no kind', { elicitation: {} }, true],
  ['that only opens pages', { elicitation: { url: {} } }, false],
  ['that declares something else', { sampling: {} }, false],
  ['that declares nothing', {}, false],
])('tells of a client %s whether it can show forms', (_what, capabilities, can) => {
  expect(canShowForms(capabilities)).toBe(can);
});

it('puts a form into the words of the protocol, and shares nothing with it', () => {
  const form: Form = {
    message: 'May it?',
    fields: {
      decision: {
        type: 'string',
        title: 'Decision',
        enum: ['allow', 'deny'],
        enumNames: ['Allow once', 'Deny'],
      },
      which: { type: 'array', title: 'Which?', items: { type: 'string', enum: ['a'] } },
    },
    required: ['decision'],
  };

  const elicitation = toElicitation(form);

  expect(elicitation).toEqual({
    mode: 'form',
    message: 'May it?',
    requestedSchema: { type: 'object', properties: form.fields, required: ['decision'] },
  });
  expect(elicitation.requestedSchema.properties).not.toBe(form.fields);
  expect(elicitation.requestedSchema.required).not.toBe(form.required);
});

it.each<[ElicitResult, FormReply]>([
  [
    { action: 'accept', content: { decision: 'allow' } },
    { action: 'accept', content: { decision: 'allow' } },
  ],
  [{ action: 'accept' }, { action: 'accept', content: {} }],
  [{ action: 'decline' }, { action: 'decline' }],
  [{ action: 'decline', content: { decision: 'allow' } }, { action: 'decline' }],
  [{ action: 'cancel' }, { action: 'cancel' }],
  [{ action: 'cancel', content: { decision: 'allow' } }, { action: 'cancel' }],
])('reads the result %j as %j', (result, reply) => {
  expect(toReply(result)).toEqual(reply);
});
