export { existsSync as exists } from 'node:fs';
