import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

// The package must contain exactly these files. Build first: npm pack runs no scripts here.
const entry = 'dist/claude-code-mcp.js';
const required = [
  entry,
  'dist/permission-server.js',
  'dist/watchdog.js',
  'dist/user-probe.js',
  'dist/page/index.html',
  'dist/page/icon.svg',
  'dist/page/page.js',
  'dist/page/style.css',
  'dist/page/view.html',
  'package.json',
  'README.md',
  'LICENSE',
  'CHANGELOG.md',
  'CODE_OF_CONDUCT.md',
  'CONTRIBUTING.md',
  'SECURITY.md',
];
const isAllowed = (path) => required.includes(path) || /^dist\/.+\.js$/.test(path);

const root = fileURLToPath(new URL('..', import.meta.url));
const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));

const problems = [...checkFiles(), ...checkInstall()];
for (const problem of problems) console.error(`package: ${problem}`);
if (problems.length > 0) process.exitCode = 1;
else
  console.log(
    `package: claude-code-mcp ${version} holds what it should, and starts without its optional dependency.`,
  );

function checkFiles() {
  const [{ files }] = JSON.parse(npm(['pack', '--dry-run', '--json', '--ignore-scripts'], root));
  const paths = files.map(({ path }) => path);
  return [
    ...paths.filter((path) => !isAllowed(path)).map((path) => `${path} must not be published`),
    ...required.filter((path) => !paths.includes(path)).map((path) => `${path} is missing`),
  ];
}

/** Installs the packed archive without the Agent SDK. It must install no other packages, and the server must start. */
function checkInstall() {
  const folder = mkdtempSync(join(tmpdir(), 'claude-code-mcp-pack-'));
  try {
    writeFileSync(join(folder, 'package.json'), '{"private":true}');
    const [{ filename }] = JSON.parse(npm(['pack', root, '--json', '--ignore-scripts'], folder));
    npm(
      ['install', `./${filename}`, '--omit=optional', '--prefer-offline', '--no-audit', '--no-fund'],
      folder,
    );
    const installed = readdirSync(join(folder, 'node_modules')).filter((name) => !name.startsWith('.'));
    const server = join(folder, 'node_modules', 'claude-code-mcp', entry);
    const printed = execFileSync(process.execPath, [server, '--version'], { encoding: 'utf8' }).trim();
    return [
      ...installed
        .filter((name) => name !== 'claude-code-mcp')
        .map((name) => `${name} is installed with --omit=optional`),
      ...(printed === version ? [] : [`--version prints ${printed} instead of ${version}`]),
    ];
  } catch (error) {
    return [`the packed server cannot be installed, or does not start: ${error.message}`];
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function npm(args, cwd) {
  const options = { cwd, encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] };
  // npm passes its own path to scripts. Otherwise npm is found by name, which requires a shell on Windows.
  const npmScript = process.env['npm_execpath'];
  return npmScript === undefined
    ? execFileSync('npm', args, { ...options, shell: process.platform === 'win32' })
    : execFileSync(process.execPath, [npmScript, ...args], options);
}
