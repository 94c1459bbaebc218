import { minSecretChars } from './secret-values.js';

/** The forms in which a secret may appear in a text: plain, inside JSON, in a URL, in base64. */
export function formsOf(secret: string): string[] {
  const inJson = escapedForJson(secret);
  const forms = new Set([
    secret,
    inJson,
    escapedForJson(inJson),
    ...urlForms(secret),
    ...base64Forms(secret),
  ]);
  return [...forms].filter((form) => form.length >= minSecretChars);
}

function escapedForJson(text: string): string {
  return JSON.stringify(text).slice(1, -1);
}

/** Encoders differ in which characters they escape, and in the case of hex digits. */
function urlForms(secret: string): string[] {
  // encodeURIComponent throws on a lone surrogate.
  const encoded = encodeURIComponent(secret.replace(/\p{Surrogate}/gu, '\ufffd'));
  const strict = encoded.replace(/[!'()*]/g, (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`);
  const forms = [encoded, strict].flatMap((form) => [
    form,
    form.replaceAll('%20', '+'),
    form.replaceAll('%2F', '/'),
  ]);
  return [...new Set(forms)].flatMap((form) => [form, form.replace(/%../g, (code) => code.toLowerCase())]);
}

/**
 * Base64 depends on the preceding bytes, as in `user:secret`. There are three alignments; only characters that contain
 * no bits of the neighbours are used.
 */
function base64Forms(secret: string): string[] {
  return [0, 1, 2].flatMap((before) => {
    const bytes = Buffer.concat([Buffer.alloc(before), Buffer.from(secret, 'utf8')]);
    const core = bytes
      .toString('base64')
      .slice(Math.ceil((before * 8) / 6), Math.floor((bytes.length * 8) / 6));
    return [core, core.replaceAll('+', '-').replaceAll('/', '_')];
  });
}
