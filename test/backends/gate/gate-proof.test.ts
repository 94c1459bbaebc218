import { describe, expect, it } from 'vitest';
import { GateProof } from '../../../src/backends/gate/gate-proof.js';

const init = { type: 'system', subtype: 'init' };
const started = { type: 'command_lifecycle', state: 'started' };
const call = { type: 'tool_use', id: 'toolu_1', name: 'Bash', input: {} };
const said = { type: 'assistant', message: { content: [{ type: 'text', text: 'Hello' }] } };
const called = { type: 'assistant', message: { content: [{ type: 'text', text: 'Now' }, call] } };
const calling = { type: 'stream_event', event: { type: 'content_block_start', content_block: call } };

describe('without a call of a hook', () => {
  it.each([
    ['the start of a turn', init],
    ['a tool call', called],
    ['the beginning of a tool call', calling],
  ])('%s shows that there is no gate', (_what, message) => {
    expect(new GateProof({}).isMissing(message)).toBe(true);
  });

  it.each([
    ['its own state', { type: 'system', subtype: 'status' }],
    ['the start of a prompt', started],
    ['a text', said],
    ['no message', null],
  ])('%s shows nothing', (_what, message) => {
    expect(new GateProof({}).isMissing(message)).toBe(false);
  });

  it('a turn with slash commands may need no model, but a tool call in it shows that there is no gate', () => {
    const proof = new GateProof({ slashCommands: true });

    expect([init, said, called, calling].map((message) => proof.isMissing(message))).toEqual([
      false,
      false,
      true,
      true,
    ]);
  });

  it('a turn of a process that is being ended may be cut off, but a tool call in it shows that there is no gate', () => {
    const proof = new GateProof({});

    proof.expectInterrupt();

    expect([init, said, called, calling].map((message) => proof.isMissing(message))).toEqual([
      false,
      false,
      true,
      true,
    ]);
  });
});

describe('in a process that continues a conversation, without a call of a hook', () => {
  it('a turn that Claude Code begins before the first prompt shows nothing, but a tool call in it does', () => {
    const proof = new GateProof({}, { isNew: false });

    expect([init, said, called, calling].map((message) => proof.isMissing(message))).toEqual([
      false,
      false,
      true,
      true,
    ]);
  });

  it('the turn of a prompt shows that there is no gate', () => {
    const proof = new GateProof({}, { isNew: false });

    const before = [init, started].map((message) => proof.isMissing(message));

    expect([...before, proof.isMissing(init)]).toEqual([false, false, true]);
  });
});

it('after a call of a hook, the gate is in force', () => {
  const proof = new GateProof({});

  proof.give();

  expect([init, called, calling].map((message) => proof.isMissing(message))).toEqual([false, false, false]);
});
