import type { ToolDependencies } from '../toolsets/shared/define-tool.js';
import { fit } from './render.js';
import type { TextResource } from './resources/text-resource.js';

/** Usage of all sessions, read from the ledger on request. */
export function usageResource(loadDependencies: () => Promise<ToolDependencies>): TextResource {
  return {
    name: 'usage',
    uri: 'claude-code://usage',
    title: 'Usage of Claude Code',
    description: 'Cost, turns and tokens of the last 31 days by day, project and model.',
    mimeType: 'application/json',
    isFixed: false,
    async read(signal) {
      const [{ sessions }, { usageView }] = await Promise.all([
        loadDependencies(),
        import('../toolsets/reference/usage.js'),
      ]);
      return fit(usageView(await sessions.controls.usage({ isForPerson: false, signal })));
    },
  };
}
