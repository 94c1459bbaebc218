import * as z from 'zod';

/**
 * The sandbox settings of Claude Code. Some loosen the sandbox or run programs: the policy judges each value. Built on
 * first use, because so many parts take time that would delay every start.
 */
export const sandboxSchema = z.lazy(() => (built ??= buildSchema()));

/** Zod calls the function above whenever the schema is unwrapped. */
let built: ReturnType<typeof buildSchema> | undefined;

function buildSchema() {
  const texts = z.array(z.string().min(1).max(1_000)).max(100).optional();
  const flag = z.boolean().optional();
  const port = z.int().min(1).max(65_535).optional();
  const program = z.string().min(1).max(4_096);
  const passing = z.enum(['deny', 'passthrough']).optional();

  const mask = {
    mode: z.enum(['deny', 'mask']),
    extract: z.string().max(1_000).optional(),
    onExtractNoMatch: z.enum(['warn', 'deny', 'error']).optional(),
    decode: z.literal('jwt').optional(),
    maskClaims: texts,
    injectHosts: texts,
  };

  return z.strictObject({
    enabled: flag,
    failIfUnavailable: flag,
    autoAllowBashIfSandboxed: flag,
    allowUnsandboxedCommands: flag,
    excludedCommands: texts,
    network: z
      .strictObject({
        allowedDomains: texts,
        deniedDomains: texts,
        strictAllowlist: flag,
        allowManagedDomainsOnly: flag,
        allowUnixSockets: texts,
        allowAllUnixSockets: flag,
        allowLocalBinding: flag,
        allowMachLookup: texts,
        httpProxyPort: port,
        socksProxyPort: port,
        tlsTerminate: z
          .strictObject({ caCertPath: program.optional(), caKeyPath: program.optional() })
          .optional(),
      })
      .optional(),
    filesystem: z
      .strictObject({
        allowWrite: texts,
        denyWrite: texts,
        denyRead: texts,
        allowRead: texts,
        allowManagedReadPathsOnly: flag,
        disabled: flag,
      })
      .optional(),
    credentials: z
      .strictObject({
        files: z
          .array(z.strictObject({ path: program, ...mask, maskDuplicates: flag }))
          .max(100)
          .optional(),
        envVars: z
          .array(z.strictObject({ name: z.string().min(1).max(200), ...mask }))
          .max(100)
          .optional(),
        allowPlaintextInject: flag,
        awsPairs: z
          .array(
            z.strictObject({
              accessKeyIdVar: z.string().min(1).max(200),
              secretAccessKeyVar: z.string().min(1).max(200),
              sessionTokenVar: z.string().min(1).max(200).optional(),
            }),
          )
          .max(20)
          .optional(),
        sigv4: z.strictObject({ streaming: passing, presigned: passing, sigv4a: passing }).optional(),
      })
      .optional(),
    ignoreViolations: z
      .record(z.string().min(1).max(500), z.array(z.string().max(1_000)).max(100))
      .optional(),
    enableWeakerNestedSandbox: flag,
    allowNestedUserNamespaces: flag,
    enableWeakerNetworkIsolation: flag,
    allowAppleEvents: flag,
    ripgrep: z.strictObject({ command: program, args: texts }).optional(),
    bwrapPath: program.optional(),
    socatPath: program.optional(),
  });
}
