import { cutMiddle } from '../../core/text/escape.js';
import { shrinking, type View } from '../../core/view.js';
import { reportedDays, type UsageReport } from '../../sessions/usage-report.js';

const longestList = 10;

/** The usage resource: the latest days, and the projects and models with the highest cost. */
export function usageView(report: UsageReport): View {
  const isNameless = report.projects.some(({ folder }) => folder === undefined);
  return shrinking((room) => {
    const most = Math.max(3, Math.floor(room / 150));
    const days = report.days.slice(0, most);
    const projects = report.projects.slice(0, Math.min(most, longestList));
    const models = report.models.slice(0, Math.min(most, longestList));
    return {
      period: `the last ${reportedDays} days, by UTC`,
      total: report.total,
      days,
      projects: projects.map(({ folder, ...sum }, index) => ({
        project: folder === undefined ? index + 1 : cutMiddle(folder, 200),
        ...sum,
      })),
      models: models.map(({ model, ...sum }) => ({ model: cutMiddle(model, 80), ...sum })),
      ...left('moreDays', report.days.length - days.length),
      ...left('moreProjects', report.projects.length - projects.length),
      ...left('moreModels', report.models.length - models.length),
      ...(isNameless
        ? {
            note: 'Folder names are hidden. Ask the operator to set CLAUDE_CODE_MCP_ALLOW_SENSITIVE_SESSION_DETAILS=1 to show them.',
          }
        : {}),
    };
  });
}

function left(key: string, count: number): Record<string, number> {
  return count > 0 ? { [key]: count } : {};
}
