// Packs the build as an extension for Claude Desktop, validates it with its own tool, and starts it. Needs
// `npm run build` and the packages of test/clients/suite.
import { execFileSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const mcpb = join(root, 'test/clients/suite/node_modules/@anthropic-ai/mcpb/dist/cli/cli.js');
const { name, version, type } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
const limitBytes = 1_000_000;

const folder = mkdtempSync(join(tmpdir(), 'claude-code-mcp-mcpb-'));
try {
  const stage = join(folder, 'stage');
  cpSync(join(root, 'dist'), join(stage, 'dist'), { recursive: true });
  cpSync(join(root, 'packaging/mcpb/manifest.json'), join(stage, 'manifest.json'));
  cpSync(join(root, 'packaging/claude-code-plugin/.claude-plugin/icon.png'), join(stage, 'icon.png'));
  cpSync(join(root, 'LICENSE'), join(stage, 'LICENSE'));
  // Without it, Node would take the files for CommonJS.
  writeFileSync(join(stage, 'package.json'), JSON.stringify({ name, version, type }));

  const archive = join(root, `${name}-${version}.mcpb`);
  const unpacked = join(folder, 'unpacked');
  node(mcpb, 'validate', join(stage, 'manifest.json'));
  node(mcpb, 'pack', stage, archive);
  node(mcpb, 'unpack', archive, unpacked);
  const printed = node(join(unpacked, 'dist/claude-code-mcp.js'), '--version').trim();
  if (printed !== version)
    throw new Error(`the extension prints ${printed} as its version instead of ${version}`);
  const { size } = statSync(archive);
  if (size >= limitBytes) throw new Error(`${archive} has ${size} bytes, at most ${limitBytes} are allowed`);
  console.log(`extension: ${archive} is valid, starts, and has ${size} bytes.`);
} finally {
  rmSync(folder, { recursive: true, force: true });
}

function node(...args) {
  return execFileSync(process.execPath, args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] });
}
