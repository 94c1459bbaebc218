/** The size of the tool list, which every conversation pays for before its first message. */
import { defineRow } from './row.js';
import { withStage } from './stage.js';

export const toolsList = defineRow({
  name: 'tools-list',
  budget: { bytes: { what: 'tools/list of the default toolset', max: 7_000, unit: 'bytes' } },
  measure: () =>
    withStage(async ({ connect }) => {
      const sizes = new Map<string, number>();
      for (const era of ['modern', 'legacy'] as const) {
        const server = await connect({ era });
        const { tools } = await server.client.listTools();
        for (const tool of tools) sizes.set(`${tool.name} (${era})`, sizeOf(tool));
        // The line as sent: the 2026 era adds cache hints and the identity of the server.
        const line = server
          .stdout()
          .split('\n')
          .find((sent) => sent.includes('"tools":[{'));
        sizes.set(era, line === undefined ? Infinity : Buffer.byteLength(line));
      }
      return {
        values: { bytes: Math.max(sizes.get('modern') ?? Infinity, sizes.get('legacy') ?? Infinity) },
        detail: [...sizes]
          .filter(([name]) => !name.endsWith('(legacy)'))
          .map(([name, size]) => `${name} ${size}`)
          .join(', '),
      };
    }),
});

function sizeOf(value: unknown): number {
  return Buffer.byteLength(JSON.stringify(value));
}
