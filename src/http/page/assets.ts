import { createHash } from 'node:crypto';

/** The files of the page, read once, because a build that replaces them must not mix old and new ones. */
export interface PageFiles {
  readonly 'index.html': Buffer;
  readonly 'page.js': Buffer;
  readonly 'style.css': Buffer;
  readonly 'icon.svg': Buffer;
}

export type PageFile = keyof PageFiles;

const places: Readonly<Record<PageFile, { readonly path: string; readonly type: string }>> = {
  'index.html': { path: '/', type: 'text/html; charset=utf-8' },
  'page.js': { path: '/assets/page.js', type: 'text/javascript; charset=utf-8' },
  'style.css': { path: '/assets/style.css', type: 'text/css; charset=utf-8' },
  'icon.svg': { path: '/assets/icon.svg', type: 'image/svg+xml' },
};

export const pageFileNames = Object.keys(places) as PageFile[];

/** Answers for the paths of the files. They contain no data, so everyone may read them. */
export function assetRoutes(files: PageFiles): ReadonlyMap<string, (request: Request) => Response> {
  return new Map(
    pageFileNames.map((name) => {
      const { path, type } = places[name];
      const content = files[name];
      const etag = `"${createHash('sha256').update(content).digest('base64url')}"`;
      // Asked for again each time, so that a page never runs with the script of an earlier version.
      const headers = { 'content-type': type, 'cache-control': path === '/' ? 'no-store' : 'no-cache', etag };
      const answer = (request: Request): Response => {
        if (path !== '/' && request.headers.get('if-none-match') === etag)
          return new Response(null, { status: 304, headers });
        return new Response(request.method === 'HEAD' ? null : streamOf(content), { headers });
      };
      return [path, answer];
    }),
  );
}

/** All answers share the content. A body of bytes would be copied for each of them. */
function streamOf(content: Uint8Array): ReadableStream<Uint8Array> {
  return new ReadableStream({
    pull(controller) {
      controller.enqueue(content);
      controller.close();
    },
  });
}
