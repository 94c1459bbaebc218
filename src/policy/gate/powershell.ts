import { wordList } from './word-list.js';

/** Cmdlets and programs that Claude Code runs in PowerShell without asking, and other names of them. */
export const powershellReaders: readonly string[] =
  wordList(`get-childitem get-content get-item get-itemproperty test-path resolve-path
    get-filehash get-acl set-location push-location pop-location select-string
    convertto-json convertfrom-json convertto-csv convertfrom-csv convertto-xml
    convertto-html format-hex get-member get-unique compare-object join-string
    get-random convert-path join-path split-path get-itempropertyvalue get-psprovider
    get-computerinfo get-host get-date get-location get-psdrive get-module get-alias
    get-history get-culture get-uiculture get-timezone get-uptime write-output
    write-host start-sleep format-table format-list format-wide format-custom
    measure-object select-object sort-object group-object where-object out-string
    out-host get-netadapter get-netipaddress get-netroute get-dnsclient get-winevent
    git gh docker dotnet ipconfig netstat systeminfo tasklist where.exe
    hostname whoami ver arp route getmac tree findstr`);

const otherNames: readonly string[] = wordList(`ls dir gci cat type gc cd sl chdir pushd popd pwd gl gi gp
    echo write sleep h history select where measure ft fl fw oh sls
    sort group compare diff gm gu rvpa cvpa gdr gal gmo ghy gpv fhx`);

const names: ReadonlySet<string> = new Set([...powershellReaders, ...otherNames]);

/** Reads only what is inside the folders, if it contains no such program. Their words are not read one by one. */
export function mayReadInPowershell(line: string): boolean {
  const words = line
    .replaceAll(/["'`\u2018-\u201f]/g, '')
    .toLowerCase()
    .split(/[^\w.-]+/);
  return words.some((word) => names.has(word) || names.has(word.replace(/\.(?:exe|cmd|bat|com)$/, '')));
}
