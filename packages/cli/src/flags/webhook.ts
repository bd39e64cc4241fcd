import { type Command, Option } from 'commander';
import { collect } from './common.ts';

export interface CertificateFlags {
  readonly selfSigned?: string | undefined;
  readonly dnsName?: readonly string[] | undefined;
}

export const addCertificate = (command: Command): Command =>
  command
    .option('--self-signed <DIR>', 'make ca.crt, tls.crt and tls.key there, unless they are there, for tests and small setups')
    .option('--dns-name <NAME>', 'a name or address for that certificate; may be given several times', collect);

export const failurePolicy = (): Option =>
  new Option('--failure-policy <POLICY>', 'what becomes of a write that cannot be decided on').choices(['allow', 'deny']).default('allow');
