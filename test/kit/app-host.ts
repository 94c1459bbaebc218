/** A client with MCP Apps: the official bridge in a page, with the view in a frame, as in a real host. */
import type { Client } from '@modelcontextprotocol/client';
import { build } from 'esbuild';
import type { Browser, FrameLocator, Page } from 'playwright-core';

export interface AppHost {
  readonly page: Page;
  readonly view: FrameLocator;
  /** Addresses that the view asked the host to open. */
  readonly opened: readonly string[];
}

const program = `
  import { AppBridge, PostMessageTransport } from '@modelcontextprotocol/ext-apps/app-bridge';
  const frame = document.createElement('iframe');
  frame.setAttribute('sandbox', 'allow-scripts');
  document.body.append(frame);
  const bridge = new AppBridge(null, { name: 'host', version: '1' }, { openLinks: {}, serverTools: {} });
  bridge.oncalltool = (params) => window.callServer(params);
  bridge.onopenlink = async ({ url }) => { await window.openLink(url); return {}; };
  bridge.oninitialized = () => bridge.sendToolInput({ arguments: window.viewArguments });
  bridge.onsizechange = ({ height }) => { if (height) frame.style.height = height + 'px'; };
  await bridge.connect(new PostMessageTransport(frame.contentWindow, frame.contentWindow));
  frame.srcdoc = window.viewPage;
`;

/** Opens the view of a tool as a host does: it reads the resource that the tool names. */
export async function openAppHost(
  browser: Browser,
  client: Client,
  args: Record<string, unknown>,
): Promise<AppHost> {
  const { tools } = await client.listTools();
  const uri = uiOf(tools.find(({ name }) => name === 'claude_code_view')?._meta);
  const { contents } = await client.readResource({ uri });
  const [content] = contents;
  if (content === undefined || !('text' in content)) throw new Error(`${uri} has no text`);
  const page = await browser.newPage({ viewport: { width: 720, height: 900 } });
  const opened: string[] = [];
  await page.exposeFunction('callServer', (params: { name: string; arguments?: Record<string, unknown> }) =>
    client.callTool(params),
  );
  await page.exposeFunction('openLink', (url: string) => void opened.push(url));
  await page.addInitScript(
    ([viewPage, viewArguments]) => Object.assign(globalThis, { viewPage, viewArguments }),
    [content.text, args] as const,
  );
  await page.goto('about:blank');
  await page.addScriptTag({ content: await bundled(), type: 'module' });
  return { page, view: page.frameLocator('iframe'), opened };
}

function uiOf(meta: unknown): string {
  const { ui } = meta as { readonly ui: { readonly resourceUri: string } };
  return ui.resourceUri;
}

async function bundled(): Promise<string> {
  const { outputFiles } = await build({
    stdin: { contents: program, resolveDir: import.meta.dirname },
    bundle: true,
    format: 'esm',
    write: false,
    logLevel: 'silent',
  });
  return outputFiles[0]?.text ?? '';
}
