import { describe, expect, it } from 'vitest';
import { banner, bannerJson } from '../../src/commands/serve.js';

const url = 'http://127.0.0.1:8137/mcp';
const command = 'npx -y mcp-server-claude-code';

describe('the banner', () => {
  it('shows the address, the token and how to add clients', () => {
    expect(banner({ url, token: 'ccm_x' }, { isStyled: false, command, notes: ['Mind this.'] })).toBe(`
● claude-code-mcp serves MCP at http://127.0.0.1:8137/mcp

  Token   ccm_x
          Save it now: it is not shown again.

  Claude Code
  claude mcp add --scope user --transport http claude-code http://127.0.0.1:8137/mcp --header "Authorization: Bearer ccm_x"

  Other clients
  URL     http://127.0.0.1:8137/mcp
  Header  Authorization: Bearer ccm_x

  ! Mind this.

  Press Ctrl-C to stop. Running sessions end with the service.

`);
  });

  it('has a placeholder for a token that was shown earlier, and says how to create one', () => {
    const text = banner({ url, token: undefined }, { isStyled: false, command });

    expect(text).toContain('Authorization: Bearer <token>');
    expect(text).toContain('npx -y mcp-server-claude-code token create <name>');
    expect(text).not.toContain('Save it now');
  });

  it('says the same in color', () => {
    const running = { url, token: 'ccm_x' };

    const styled = banner(running, { isStyled: true, command });

    // oxlint-disable-next-line no-control-regex -- the escape sequences of a terminal
    expect(styled.replaceAll(/\u001B\[\d+m/g, '')).toBe(banner(running, { isStyled: false, command }));
    expect(styled).toContain('\u001B[36mhttp://127.0.0.1:8137/mcp\u001B[0m');
  });

  it.each([
    ['ccm_x', { url, pid: process.pid, token: 'ccm_x' }],
    [undefined, { url, pid: process.pid }],
  ])('is one line of JSON for programs, with the token %s', (token, expected) => {
    const text = bannerJson({ url, token });

    expect(JSON.parse(text)).toEqual(expected);
    expect(text.indexOf('\n')).toBe(text.length - 1);
  });
});
