import type { ClientCapabilities, ElicitRequestFormParams, ElicitResult } from '@modelcontextprotocol/server';
import { expect, it } from 'vitest';
import type { Form, FormReply, Showing } from '../../src/core/forms.js';
import { showingOf, toElicitation, toInputRequest, toReply } from '../../src/mcp/forms.js';

it.each<[string, ClientCapabilities, Showing]>([
  ['that declares forms', { elicitation: { form: {} } }, { showForms: true, openPages: false }],
  [
    'that declares forms and pages',
    { elicitation: { form: {}, url: {} } },
    { showForms: true, openPages: true },
  ],
  [
    'of before 2025-11-25, which declares no kind',
    { elicitation: {} },
    { showForms: true, openPages: false },
  ],
  ['that only opens pages', { elicitation: { url: {} } }, { showForms: false, openPages: true }],
  ['that declares something else', { sampling: {} }, { showForms: false, openPages: false }],
  ['that declares nothing', {}, { showForms: false, openPages: false }],
])('tells of a client %s what it can show', (_what, capabilities, can) => {
  expect(showingOf(capabilities)).toEqual(can);
});

it('leads to a page in the words of both protocols', () => {
  const form: Form = { message: 'May it?', fields: {}, required: [], url: 'http://127.0.0.1:1/#request=r1' };

  expect(toElicitation(form)).toEqual({
    mode: 'url',
    message: 'May it?',
    url: form.url,
    elicitationId: form.url,
  });
  expect(toInputRequest(form)).toEqual({
    method: 'elicitation/create',
    params: { mode: 'url', message: 'May it?', url: form.url },
  });
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
  const { requestedSchema } = elicitation as ElicitRequestFormParams;
  expect(requestedSchema.properties).not.toBe(form.fields);
  expect(requestedSchema.required).not.toBe(form.required);
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
