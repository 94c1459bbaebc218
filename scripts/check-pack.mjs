import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

// The package must contain exactly these files. Build first: npm pack runs no scripts here.
const required = [
  'dist/claude-code-mcp.js',
  'dist/service.js',
  'dist/console.js',
  'dist/watchdog.js',
  'dist/user-probe.js',
  'dist/openings/async.json',
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
const isAllowed = (path) =>
  required.includes(path) || /^dist\/.+\.js$/.test(path) || /^dist\/openings\/[a-z+-]+\.json$/.test(path);

const root = fileURLToPath(new URL('..', import.meta.url));
const { name, version, bin } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));

/** What people without the Agent SDK download has to stay small. */
const limitBytes = 2_000_000;

const problems = [...checkFiles(), ...checkInstall()];
for (const problem of problems) console.error(`package: ${problem}`);
if (problems.length > 0) process.exitCode = 1;
else
  console.log(
    `package: ${name} ${version} contains what it should, and starts without its optional dependencies.`,
  );

function checkFiles() {
  const [{ files }] = JSON.parse(npm(['pack', '--dry-run', '--json', '--ignore-scripts'], root));
  const paths = files.map(({ path }) => path);
  return [
    ...paths.filter((path) => !isAllowed(path)).map((path) => `${path} must not be published`),
    ...required.filter((path) => !paths.includes(path)).map((path) => `${path} is missing`),
  ];
}

/** Installs the packed archive without the Agent SDK: no other packages, few bytes, and every command starts. */
function checkInstall() {
  const folder = mkdtempSync(join(tmpdir(), 'claude-code-mcp-pack-'));
  try {
    writeFileSync(join(folder, 'package.json'), '{"private":true}');
    const [{ filename }] = JSON.parse(npm(['pack', root, '--json', '--ignore-scripts'], folder));
    npm(
      ['install', `./${filename}`, '--omit=optional', '--prefer-offline', '--no-audit', '--no-fund'],
      folder,
    );
    const modules = join(folder, 'node_modules');
    const installed = readdirSync(modules).filter((name) => !name.startsWith('.'));
    const bytes = sizeOf(modules);
    return [
      ...installed
        .filter((other) => other !== name)
        .map((other) => `${other} is installed with --omit=optional`),
      ...(bytes < limitBytes
        ? []
        : [`the installation takes ${bytes} bytes, at most ${limitBytes} are allowed`]),
      ...Object.keys(bin).flatMap((command) => {
        const printed = run(join(modules, '.bin', command), ['--version'], folder).trim();
        return printed === version ? [] : [`${command} --version prints ${printed} instead of ${version}`];
      }),
    ];
  } catch (error) {
    return [`the packed server cannot be installed, or does not start: ${error.message}`];
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function sizeOf(folder) {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .reduce((sum, { parentPath, name }) => sum + statSync(join(parentPath, name)).size, 0);
}

function npm(args, cwd) {
  // npm passes its own path to scripts. Otherwise npm is found by name.
  const npmScript = process.env['npm_execpath'];
  return npmScript === undefined
    ? run('npm', args, cwd)
    : execFileSync(process.execPath, [npmScript, ...args], optionsIn(cwd));
}

/** Commands of npm packages are scripts, which require a shell on Windows. */
function run(command, args, cwd) {
  return execFileSync(command, args, { ...optionsIn(cwd), shell: process.platform === 'win32' });
}

function optionsIn(cwd) {
  return { cwd, encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] };
}
