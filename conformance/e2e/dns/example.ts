import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseAllDocuments } from 'yaml';
import type { Checks } from './checks.ts';
import { digAll } from './dig.ts';

export const exampleFolder: string = join(import.meta.dirname, '..', '..', '..', 'examples', 'cluster');

interface Manifest {
  readonly kind?: string;
  readonly items?: readonly Manifest[];
  readonly metadata: { readonly name: string; readonly namespace: string };
  readonly spec: {
    readonly clusterIP?: string;
    readonly clusterIPs?: readonly string[];
    readonly ports?: readonly { readonly name?: string; readonly port: number; readonly protocol?: string }[];
  };
}

/** Checks the name, reverse name and ports of each Service of the example that has a cluster IP. */
export async function checkExample(port: number, checks: Checks): Promise<void> {
  const services = readManifests().filter(({ kind, spec }) => kind === 'Service' && spec.clusterIP && spec.clusterIP !== 'None');
  checks.checkEqual('the example has more than 20 Services', services.length > 20, true);
  const questions = services.flatMap(createQuestions);
  const answers = await digAll(
    port,
    questions.map(({ line }) => line),
  );
  for (const [i, { line, expected }] of questions.entries()) {
    checks.checkEqual(
      line,
      [...(answers[i]?.answer ?? [])].map((record) => record.split(' ').slice(3).join(' ')).sort(),
      [...expected].sort(),
    );
  }
}

function readManifests(): readonly Manifest[] {
  const files = readdirSync(exampleFolder).filter((name) => /\.(yaml|json)$/.test(name));
  const documents = files.flatMap((name) =>
    parseAllDocuments(readFileSync(join(exampleFolder, name), 'utf8')).map((each) => each.toJS() as Manifest | null),
  );
  return documents.flatMap((document) => (document ? (document.items ?? [document]) : []));
}

interface Question {
  /** The arguments of dig. */
  readonly line: string;
  /** The type and data of each record. */
  readonly expected: readonly string[];
}

function createQuestions({ metadata, spec }: Manifest): readonly Question[] {
  const name = `${metadata.name}.${metadata.namespace}.svc.cluster.local`;
  const ips = spec.clusterIPs ?? [spec.clusterIP as string];
  const addressQuestion = (type: string, hasFamily: (ip: string) => boolean): Question => ({
    line: `${name} ${type}`,
    expected: ips.filter(hasFamily).map((ip) => `${type} ${ip}`),
  });
  const namedPorts = (spec.ports ?? []).filter((port) => port.name);
  return [
    addressQuestion('A', (ip) => !ip.includes(':')),
    addressQuestion('AAAA', (ip) => ip.includes(':')),
    ...ips.map((ip) => ({ line: `-x ${ip}`, expected: [`PTR ${name}.`] })),
    ...namedPorts.map((port) => ({
      line: `_${port.name}._${(port.protocol ?? 'TCP').toLowerCase()}.${name} SRV`,
      expected: [`SRV 0 ${ips.length > 1 ? 50 : 100} ${port.port} ${name}.`],
    })),
  ];
}
