import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

// What is published is this and nothing else. Build first: no script of the package runs here.
const entry = 'dist/claude-code-mcp.js';
const required = [
  entry,
  'dist/permission-server.js',
  'package.json',
  'README.md',
  'LICENSE',
  'CHANGELOG.md',
  'SECURITY.md',
];
const isAllowed = (path) => required.includes(path) || /^dist\/.+\.js$/.test(path);

const root = fileURLToPath(new URL('..', import.meta.url));
const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));

const problems = [...checkFiles(), ...checkStart()];
for (const problem of problems) console.error(`package: ${problem}`);
if (problems.length > 0) process.exitCode = 1;
else console.log(`package: claude-code-mcp ${version} holds what it should, and starts.`);

function checkFiles() {
  const [{ files }] = JSON.parse(npm(['pack', '--dry-run', '--json', '--ignore-scripts'], root));
  const paths = files.map(({ path }) => path);
  return [
    ...paths.filter((path) => !isAllowed(path)).map((path) => `${path} must not be published`),
    ...required.filter((path) => !paths.includes(path)).map((path) => `${path} is missing`),
  ];
}

/** The real archive, unpacked elsewhere, with nothing of this repository but the installed dependencies. */
function checkStart() {
  const folder = mkdtempSync(join(tmpdir(), 'claude-code-mcp-pack-'));
  try {
    const [{ filename }] = JSON.parse(npm(['pack', root, '--json', '--ignore-scripts'], folder));
    // Relative names: a tar of another world takes `C:` for the name of a host.
    execFileSync('tar', ['-xzf', filename], { cwd: folder });
    const unpacked = join(folder, 'package');
    symlinkSync(resolve(root, 'node_modules'), join(unpacked, 'node_modules'), 'junction');
    const printed = execFileSync(process.execPath, [entry, '--version'], { cwd: unpacked, encoding: 'utf8' });
    return printed.trim() === version ? [] : [`--version prints ${printed.trim()} instead of ${version}`];
  } catch (error) {
    return [`the packed server does not start: ${error.message}`];
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function npm(args, cwd) {
  const options = { cwd, encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] };
  // Where npm runs us it says where it is; otherwise it is found by name, which on Windows takes a shell.
  const npmScript = process.env['npm_execpath'];
  return npmScript === undefined
    ? execFileSync('npm', args, { ...options, shell: process.platform === 'win32' })
    : execFileSync(process.execPath, [npmScript, ...args], options);
}
