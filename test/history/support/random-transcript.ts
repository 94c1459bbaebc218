import { randomUUID } from 'node:crypto';
import { constantFrom, nat, oneof, type Arbitrary } from 'fast-check';

type Make = (index: number) => string;

const line = (fields: object): string =>
  `${JSON.stringify({ parentUuid: null, uuid: randomUUID(), timestamp: '2026-01-01T00:00:00.000Z', ...fields })}\n`;
const said = (type: 'user' | 'assistant', content: unknown, more: object = {}): string =>
  line({ ...more, type, message: { role: type, content } });

/** Every kind of line that Claude Code writes, and those of a writer that was cut off. */
const kinds: readonly Make[] = [
  (index) => said('user', `prompt ${index}`),
  (index) => said('user', `prompt without a time ${index}`, { timestamp: undefined }),
  (index) => said('assistant', [{ type: 'text', text: `answer ${index}` }]),
  (index) =>
    said('assistant', [{ type: 'tool_use', id: `t${index}`, name: 'Bash', input: { command: 'ls' } }]),
  (index) => said('user', [{ type: 'tool_result', tool_use_id: `t${index}`, content: 'ä\u2028🜁' }]),
  // A branch: another answer to an earlier message.
  (index) => said('assistant', [{ type: 'text', text: `branch ${index}` }], { parentUuid: randomUUID() }),
  (index) => said('assistant', [{ type: 'text', text: `aside ${index}` }], { isSidechain: true }),
  () => said('assistant', [{ type: 'thinking', thinking: 'hm' }]),
  () => said('user', 'caveat', { isMeta: true }),
  () => said('user', '<command-name>/model</command-name>'),
  () => line({ type: 'cost-state', inner: { type: 'user' } }),
  () => '{"type":"user","uuid":\n',
  () => '\n',
];

/** One line, most of them short, some longer than a chunk. */
export const transcriptLine: Arbitrary<Make> = oneof(
  { weight: 12, arbitrary: constantFrom(...kinds) },
  {
    weight: 1,
    arbitrary: nat(150_000).map(
      (length) => () => said('assistant', [{ type: 'text', text: 'x'.repeat(length) }]),
    ),
  },
  {
    weight: 1,
    arbitrary: nat(150_000).map((length) => () => line({ type: 'blob', text: 'x'.repeat(length) })),
  },
);

export function textOf(makes: readonly Make[], first = 0): string {
  return makes.map((make, index) => make(first + index)).join('');
}
