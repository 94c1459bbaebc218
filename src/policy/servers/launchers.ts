/** Look for packages or their own configuration in the folder. They are known by their script or package, too. */
const packageRunners = listed(`
  npx npx-cli npm npm-cli pnpm pnpx yarn yarnpkg corepack bun bunx deno tsx ts-node ts-node-esm esno jiti vite-node
  babel-node nodemon pm2 zx uv uvx pipx pip poetry pdm hatch rye pixi pipenv tox nox conda mamba micromamba ipython
  jupyter bundle bundler gradlew mvnw @antfu/ni @babel/node @swc-node/register`);

/** Shells, programs that run another program, and programs that the folder configures. */
const others = listed(`
  sh bash dash ash zsh ksh mksh fish csh tcsh nu xonsh pwsh powershell cmd wscript cscript
  env sudo doas su runuser nice ionice nohup timeout gtimeout time xargs parallel stdbuf unbuffer setsid script expect
  watch entr strace ltrace firejail bwrap unshare chroot systemd-run flock caffeinate arch busybox toybox tini dumb-init
  find git ssh wsl docker podman nerdctl tmux screen op doppler dotenv direnv devbox nix nix-shell asdf mise rtx volta
  volta-shim proto nvm fnm pyenv rbenv nodenv jenv rustup xcrun
  ni nlx vite electron make gmake cmake ninja just task rake gem composer php go cargo gradle mvn sbt ant bazel buck2
  pants turbo nx lerna java jbang groovy kotlin scala scala-cli dotnet dnx mix iex erl elixir r rscript julia octave irb
  pry gdb lldb`);

function listed(names: string): ReadonlySet<string> {
  return new Set(names.trim().split(/\s+/));
}

const scriptEnding = /\.(?:[cm]?[jt]s|pyz?|rb|pl)$/;

/** Whether the file at this path is a program that runs other programs, judged by its name and its package. */
export function isLauncher(path: string): boolean {
  const names = path.toLowerCase().split(/[\\/]/);
  const file = names.at(-1) ?? '';
  const program = withoutVersion(file.replace(scriptEnding, '').replace(/\.(?:exe|com|cmd|bat|ps1|sh)$/, ''));
  const packages = names.flatMap((name, index) =>
    packageFolders.has(name) ? [packageName(names.slice(index + 1))] : [],
  );
  return (
    [program, ...packages].some((name) => packageRunners.has(name)) ||
    (!scriptEnding.test(file) && others.has(program))
  );
}

const packageFolders: ReadonlySet<string> = new Set(['node_modules', 'site-packages', 'dist-packages']);

function packageName([first = '', second = '']: readonly string[]): string {
  return first.startsWith('@') ? `${first}/${second}` : first.replaceAll('_', '-');
}

/** `pip3.12` is `pip`. A search that began at each digit of a long name would take minutes. */
function withoutVersion(name: string): string {
  return name.replace(/-?(?<![\d.])[\d.]+$/, '');
}

/** Interpreters that read nothing from the folder if they run a script with an absolute path. */
const interpreters = /^(?:node|nodejs|python|pypy)[\d.]*(?:\.exe)?$/i;

export function isInterpreter(path: string): boolean {
  return interpreters.test(path.split(/[\\/]/).at(-1) ?? '');
}
