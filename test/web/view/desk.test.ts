import { expect, it } from 'vitest';
import { ViewDesk, type ViewState } from '../../../web/view/desk.js';
import { commandCard } from '../samples.js';

const overview = {
  mayApprove: true,
  requests: [{ requestId: 'r-command', sessionId: 's-shop', kind: 'permission', summary: 'Run' }],
  sessions: [],
};

/** What a view shows after one look. Its card comes in parts of 100 characters, from the versions in turn. */
async function lookAt(...versions: readonly string[]): Promise<ViewState['requests']> {
  const shown: ViewState[] = [];
  let reads = 0;
  const desk = new ViewDesk(
    {
      can: { openLinks: false },
      openLink: async () => undefined,
      async callTool(_name, args) {
        if (!('offset' in args)) return overview;
        const json = versions[Math.min(reads++, versions.length - 1)] ?? '';
        const offset = Number(args.offset);
        return { requestId: 'r-command', card: json.slice(offset, offset + 100), offset, chars: json.length };
      },
    },
    (state) => void shown.push(state),
  );
  await desk.select('s-shop');
  return shown.at(-1)?.requests ?? [];
}

it('a view puts a card together from its parts', async () => {
  const card = commandCard();

  expect(await lookAt(JSON.stringify(card))).toEqual([{ card, phase: 'open' }]);
});

it('a view shows no card made of two versions, in which a part of what runs can be missing', async () => {
  const hiding = 'x'.repeat(50);
  const [long, short] = [hiding, ''].map((summary) => JSON.stringify(commandCard({ summary })));

  expect(await lookAt(long ?? '', short ?? '')).toEqual([]);
});
