import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Files that start real processes: they need a build, and nearly all of the time. */
const realProcesses = [
  'test/e2e/**/*.test.ts',
  'test/contract/**/*.test.ts',
  'test/faults/{api-faults,bad-disk,clients,fuzz-bytes,kills,soak-real}.test.ts',
  'test/kit/{faulty-cli,scripted-model,server-client}.test.ts',
  'test/history/real-claude-code.test.ts',
  'test/web/*.test.ts',
  'test/bench/cheap-rows.test.ts',
];

/** Long tests of what shorter ones also cover. `npm run test:thorough` runs them too. */
const long = [
  'test/e2e/http/{proxy,run-as-attacks,run-as-many-lines}.test.ts',
  'test/e2e/{doc-commands-all,here-texts,option-grammar,query-limits,query-pressure,rewind}.test.ts',
];
const thorough = process.env['THOROUGH'] === '1' ? [] : long;

/** On Windows, only these folders, without real processes. */
const onWindows =
  'test/{backends,bin,commands,config,console,core,docs,events,files,history,inputs,opening,page,platform,policy,state,transports}/**/*.test.ts';

/** Tests of file modes, links, signals or paths as POSIX has them. */
const posix = [
  'test/backends/shared/search-variables.test.ts',
  'test/commands/{connect,open,typed}.test.ts',
  'test/files/{atomic-write,own-file,private-file,real-path}.test.ts',
  'test/history/{folder-trust,permission-rules,state-file,transcript-files}.test.ts',
  'test/platform/find-executable.test.ts',
  'test/policy/{child-environment,resolve-options}.test.ts',
  'test/state/service-address.test.ts',
  'test/state/money/usage-ledger.test.ts',
];
const isWindows = process.platform === 'win32';

/** Packages of the suites contain tests of their own. */
const packages = 'test/**/node_modules/**';

/** The slow project first: at the end the fast files fill what a long one leaves idle. */
class SlowFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    // oxlint-disable-next-line unicorn/no-array-sort -- a method of vitest, which answers with a new list
    const sorted = await super.sort(files);
    const isSlow = ({ project }: TestSpecification): boolean => project.name === 'real';
    return [...sorted.filter(isSlow), ...sorted.filter((file) => !isSlow(file))];
  }
}

export default defineConfig({
  define: { __VERSION__: JSON.stringify('0.0.0-test') },
  test: {
    // Real processes on a loaded two-core machine: a limit that only a hang can reach.
    testTimeout: 30_000,
    hookTimeout: 30_000,
    // One more than the smallest machine has processors: these tests mostly wait for processes.
    maxWorkers: 3,
    setupFiles: ['test/kit/property-seed.ts'],
    // No test file leaves anything in its module; a fresh process for each would cost more than the tests.
    isolate: false,
    sequence: { sequencer: SlowFirst },
    projects: [
      { extends: true, test: { name: 'real', include: isWindows ? [] : realProcesses, exclude: thorough } },
      {
        extends: true,
        test: {
          name: 'unit',
          include: [isWindows ? onWindows : 'test/**/*.test.ts'],
          exclude: [...realProcesses, ...(isWindows ? posix : []), packages],
        },
      },
    ],
  },
});
