/**
 * Whether a file pattern of a shell can match a name. In doubt it can: brackets stand for anything, and case is ignored,
 * as some shells and disks do. Takes at most the product of both lengths: a regular expression could take forever, and
 * both texts come from strangers.
 */
export function mayMatch(pattern: string, name: string): boolean {
  if (pattern.includes('[')) return true;
  const wanted = Array.from(pattern.toLowerCase());
  const given = Array.from(name.toLowerCase());
  let at = 0;
  let star = -1;
  let resume = 0;
  for (let index = 0; index < given.length;) {
    if (wanted[at] === '*') {
      star = at;
      resume = index;
      at += 1;
    } else if (at < wanted.length && (wanted[at] === '?' || wanted[at] === given[index])) {
      at += 1;
      index += 1;
    } else if (star === -1) return false;
    else {
      // The last star takes one character more.
      resume += 1;
      index = resume;
      at = star + 1;
    }
  }
  return wanted.slice(at).every((sign) => sign === '*');
}
