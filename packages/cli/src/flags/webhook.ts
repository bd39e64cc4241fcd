import { type Command, Option } from 'commander';
import { collectValues } from './common.ts';

export interface CertificateFlags {
  /** The directory of the self-signed certificate and its key. */
  readonly selfSigned?: string | undefined;
  readonly dnsName?: readonly string[] | undefined;
}

export const addCertificateFlags = (command: Command): Command =>
  command
    .option('--self-signed <DIR>', 'create ca.crt, tls.crt and tls.key in this directory unless they exist, for tests and small setups')
    .option('--dns-name <NAME>', 'a DNS name or IP address for the self-signed certificate; repeatable', collectValues);

export const createFailurePolicyOption = (): Option =>
  new Option('--failure-policy <POLICY>', 'whether a write that cannot be reviewed is allowed or denied')
    .choices(['allow', 'deny'])
    .default('allow');
