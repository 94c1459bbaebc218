export interface SseMessage {
  readonly id: string | undefined;
  readonly data: string;
}

/** Reads server-sent events from chunks of text, which the network may split anywhere. */
export function createSseReader(): (chunk: string) => readonly SseMessage[] {
  let rest = '';
  return (chunk) => {
    rest += chunk;
    const blocks = rest.split(/\r?\n\r?\n/);
    rest = blocks.pop() ?? '';
    return blocks.map(readBlock).filter((message) => message.data !== '');
  };
}

function readBlock(block: string): SseMessage {
  let id: string | undefined;
  const data: string[] = [];
  for (const line of block.split(/\r?\n/)) {
    const [, field = '', value = ''] = /^([^:]*):? ?(.*)$/.exec(line) ?? [];
    if (field === 'id') id = value;
    if (field === 'data') data.push(value);
  }
  return { id, data: data.join('\n') };
}
