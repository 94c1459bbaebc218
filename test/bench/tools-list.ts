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
        const { client } = await connect({ era });
        const { tools } = await client.listTools();
        for (const tool of tools) sizes.set(`${tool.name} (${era})`, sizeOf(tool));
        sizes.set(era, sizeOf(tools));
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
