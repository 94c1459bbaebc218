import type { Arguments } from '../config/arguments.js';
import { checkNode } from '../console/doctor/node-version.js';
import { reportOf, reportText } from '../console/doctor/report.js';
import { paintFor } from '../console/terminal/paint.js';

export async function doctor({ json }: Arguments): Promise<string> {
  const report = reportOf([checkNode(process.version)]);
  if (!report.ok) process.exitCode = 1;
  return json ? `${JSON.stringify(report)}\n` : reportText(report, paintFor(process.stdout, process.env));
}
