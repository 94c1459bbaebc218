import { homedir } from 'node:os';
import { fileURLToPath } from 'node:url';
import { runChecks } from '../app/doctor/run-checks.js';
import type { Surroundings } from '../app/doctor/surroundings.js';
import type { Arguments } from '../config/arguments.js';
import { ConfigError } from '../config/config-error.js';
import { loadSettings, type Loaded } from '../config/load.js';
import { ownVariables, stateDirOf, type Settings } from '../config/settings.js';
import type { Finding } from '../console/doctor/check.js';
import { reportOf, reportText } from '../console/doctor/report.js';
import { LiveLine } from '../console/terminal/live-line.js';
import { paintFor } from '../console/terminal/paint.js';
import { fit } from '../console/terminal/width.js';
import { systemClock } from '../core/clock.js';
import { jsonLine } from '../core/text/escape.js';
import { resolveClaudeHome } from '../history/claude-home.js';
import { childEnvironment } from '../policy/child-environment.js';
import { columnsOf, movingColumnsOf } from './fitted.js';
import { settingsFor } from './program.js';
import { inTyped } from './typed.js';

export async function doctor(args: Arguments, console: string): Promise<string> {
  const loaded = await settingsOrProblem(args);
  const { stdout, stderr } = process;
  const live = new LiveLine({
    write: (text) => void stderr.write(text),
    clock: systemClock,
    columns: args.json ? undefined : movingColumnsOf(stderr, process.env),
  });
  const program = fileURLToPath(new URL('./claude-code-mcp.js', console));
  const interrupted = new AbortController();
  process.once('SIGINT', () => interrupted.abort());
  const sections = await runChecks({
    surroundings: surroundingsOf(loaded instanceof ConfigError ? usableSettings() : loaded.settings),
    loaded,
    program,
    isQuick: args.own.quick === '1',
    signal: interrupted.signal,
    onProgress: (what) => live.follow((_now, columns) => fit(what, columns)),
  }).finally(() => live.end());
  if (interrupted.signal.aborted) {
    process.exitCode = 130;
    return '';
  }
  const shown = sections.map(({ title, findings }) => ({ title, findings: findings.map(inTypedWords) }));
  const report = reportOf(shown);
  if (!report.ok) process.exitCode = 1;
  if (args.json) return `${jsonLine(report)}\n`;
  return reportText(shown, {
    paint: paintFor(stdout, process.env),
    columns: columnsOf(stdout),
  });
}

/** The other checks are worth making even if the server would not start. */
async function settingsOrProblem(args: Arguments): Promise<Loaded | ConfigError> {
  try {
    return await settingsFor(args);
  } catch (error) {
    if (error instanceof ConfigError) return error;
    throw error;
  }
}

function inTypedWords(finding: Finding): Finding {
  const { message, fix } = finding;
  return { ...finding, message: inTyped(message), ...(fix !== undefined && { fix: inTyped(fix) }) };
}

/** Each variable that can be used by itself. */
function usableSettings(): Settings {
  const own = Object.entries(process.env).filter(([name, value]) => {
    try {
      return ownVariables.has(name) && loadSettings({}, { [name]: value });
    } catch {
      return false;
    }
  });
  return loadSettings({}, Object.fromEntries(own)).settings;
}

function surroundingsOf(settings: Settings): Surroundings {
  const { env: environment } = process;
  const [home, cwd] = [homedir(), process.cwd()];
  const sessionEnvironment = childEnvironment(environment, { ownVariables, cwd });
  return {
    settings,
    environment,
    sessionEnvironment,
    home,
    cwd,
    stateDir: stateDirOf(settings, environment, home),
    claudeHome: resolveClaudeHome({ home, configDir: sessionEnvironment['CLAUDE_CONFIG_DIR'] }),
  };
}
