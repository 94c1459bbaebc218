import { problem } from './answers.js';

/** The current metrics in the Prometheus text format. Undefined while they cannot be collected. */
export type MetricsSource = () => Promise<
  { readonly contentType: string; readonly text: string } | undefined
>;

export async function metricsRoute(source: MetricsSource): Promise<Response> {
  const page = await source();
  if (page === undefined)
    return problem(
      501,
      -32_000,
      'Metrics are not available. Ask the operator to install prom-client as the log of the service describes.',
    );
  return new Response(page.text, { headers: { 'content-type': page.contentType } });
}
