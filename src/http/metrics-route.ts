import { problem } from './answers.js';
import type { Identity } from './auth/identity.js';

/** The current metrics in the Prometheus text format. Undefined while they cannot be collected. */
export type MetricsSource = () => Promise<
  { readonly contentType: string; readonly text: string } | undefined
>;

/** Metrics count the work of every principal. */
export async function metricsRoute({ scopes }: Identity, source: MetricsSource): Promise<Response> {
  if (!scopes.includes('admin'))
    return problem(403, -32_000, 'Metrics need a token with the scope admin.', {
      'www-authenticate': 'Bearer error="insufficient_scope", scope="admin"',
    });
  const page = await source();
  if (page === undefined)
    return problem(
      501,
      -32_000,
      'Metrics are not available. Ask the operator to install prom-client; the log says how.',
    );
  return new Response(page.text, { headers: { 'content-type': page.contentType } });
}
