import type { NetworkFacts } from '../../console/doctor/network.js';
import { isObject, parseObject } from '../../core/json.js';
import { openRegularFile, readOpened } from '../../files/regular-file.js';
import { connectProblem } from '../../platform/port-use.js';
import type { Surroundings } from './surroundings.js';

const limitMs = 5_000;
const maxSettingsBytes = 1024 * 1024;

type Environment = Readonly<Record<string, string | undefined>>;

/** Undefined if there is no address to try: cloud providers have many. */
export async function gatherNetwork({
  claudeHome,
  sessionEnvironment,
}: Pick<Surroundings, 'claudeHome' | 'sessionEnvironment'>): Promise<NetworkFacts | undefined> {
  const text = await readOpened(openRegularFile(claudeHome.settingsFile), maxSettingsBytes);
  const inSettings = parseObject(text ?? '')?.['env'];
  const route = routeOf({ ...sessionEnvironment, ...(isObject(inSettings) ? textsOf(inSettings) : {}) });
  if (route === undefined) return undefined;
  const { api, proxy } = route;
  return {
    api: nameOf(api),
    proxy: proxy && nameOf(proxy),
    problem: await connectProblem(proxy ?? api, limitMs),
  };
}

interface Place {
  readonly host: string;
  readonly port: number;
}

/** How Claude Code reaches its API. */
export function routeOf(
  environment: Environment,
): { readonly api: Place; readonly proxy?: Place } | undefined {
  const isCloud = Object.entries(environment).some(
    ([name, value]) => name.startsWith('CLAUDE_CODE_USE_') && Boolean(value),
  );
  const url = environment['ANTHROPIC_BASE_URL'] || 'https://api.anthropic.com';
  const api = placeOf(url);
  if (isCloud || api === undefined) return undefined;
  const valueOf = (name: string): string => environment[name.toLowerCase()] || environment[name] || '';
  const proxy = placeOf((url.startsWith('https:') && valueOf('HTTPS_PROXY')) || valueOf('HTTP_PROXY'));
  const isDirect = valueOf('NO_PROXY')
    .split(/[\s,]+/)
    .some((entry) => isCovered(api.host, entry));
  return proxy === undefined || isDirect ? { api } : { api, proxy };
}

function isCovered(host: string, entry: string): boolean {
  const name = entry.replace(/:\d+$/, '').replace(/^\*?\./, '');
  return entry === '*' || (name !== '' && (host === name || host.endsWith(`.${name}`)));
}

function placeOf(url: string): Place | undefined {
  if (!URL.canParse(url)) return undefined;
  const { hostname, port, protocol } = new URL(url);
  if (hostname === '') return undefined;
  return {
    host: hostname.replaceAll(/[[\]]/g, ''),
    port: Number(port) || (protocol === 'https:' ? 443 : 80),
  };
}

function nameOf({ host, port }: Place): string {
  return port === 443 ? host : `${host}:${port}`;
}

function textsOf(values: object): Environment {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => typeof value === 'string'));
}
