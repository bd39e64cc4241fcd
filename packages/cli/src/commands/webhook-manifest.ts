import { readFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { unreadable } from '../input/sources.ts';
import { exitCodes, type IO, type Tell, UsageError } from '../io.ts';
import { selfSigned } from '../live/self-signed.ts';
import { formatStructured } from '../print/structured.ts';
import { printable } from '../print/text.ts';
import type { CommonFlags } from '../program.ts';
import type { WebhookManifestParticulars } from '../program-overrides.ts';
import { tellRules } from './webhook.ts';

type Asked = WebhookManifestParticulars & { readonly flags: CommonFlags };
type Room = typeof import('@kube-endpoints/overrides/webhook');
type Manifest = ReturnType<Room['mutatingWebhookConfiguration']>;

/** `webhook manifest`: prints what is applied to a cluster. */
export async function webhookManifest(options: Asked, io: IO, tell: Tell): Promise<number> {
  const { flags } = options;
  const room = await import('@kube-endpoints/overrides/webhook');
  const configuration = await configurationOf(options);
  const rules = await textsOf(options.rules ?? []);
  try {
    if (rules.length > 0) room.readRuleFiles(rules.map(({ path, text }) => ({ name: path, text })));
  } catch (error) {
    if (!(error instanceof room.RuleFilesError)) throw error;
    tellRules(error, tell);
    return exitCodes.error;
  }
  const manifests: readonly Manifest[] = options.all
    ? room.webhookManifests({ ...configuration, ...workloadOf(options), rules: byName(rules) })
    : [room.mutatingWebhookConfiguration(configuration)];
  io.stdout.write(flags.output === 'json' ? asJson(manifests) : manifests.map((one) => formatStructured(one, 'yaml')).join('---\n'));
  return exitCodes.nothing;
}

type Configuration = Parameters<Room['mutatingWebhookConfiguration']>[0];

async function configurationOf(options: Asked): Promise<Configuration> {
  const { service: name, flags, injectCaFrom, failurePolicy, timeout, reinvocationPolicy, excludeNamespace } = options;
  const namespace = flags.namespace || 'default';
  return {
    name,
    namespace,
    ca: await authorityOf(options, namesOf(name, namespace)),
    injectCaFrom,
    failurePolicy: failurePolicy === 'deny' ? 'Fail' : 'Ignore',
    timeoutSeconds: timeout / 1000,
    reinvocationPolicy,
    excludeNamespaces: excludeNamespace,
  };
}

/** Under which an API server and others reach a Service. */
const namesOf = (name: string, namespace: string): readonly string[] => {
  const short = `${name}.${namespace}.svc`;
  return [short, `${name}.${namespace}`, `${short}.cluster.local`];
};

const workloadOf = ({ image, replicas, tlsSecret, connected }: Asked) => ({ image, replicas, tlsSecret, connected });

async function authorityOf({ ca, selfSigned: folder, dnsName = [] }: Asked, names: readonly string[]): Promise<string | undefined> {
  const file = folder === undefined ? ca : (await selfSigned(folder, [...names, ...dnsName])).ca;
  if (file === undefined) return undefined;
  const [read] = await textsOf([file]);
  if (read?.text.includes('-----BEGIN CERTIFICATE-----')) return read.text;
  throw new UsageError(`${printable(file)}: no certificate in it: give the authority's in PEM`);
}

interface Text {
  readonly path: string;
  readonly text: string;
}

const textsOf = (paths: readonly string[]): Promise<readonly Text[]> =>
  Promise.all(
    paths.map(async (path) => {
      try {
        return { path, text: await readFile(path, 'utf8') };
      } catch (error) {
        throw new UsageError(`${printable(path)}: ${unreadable(error)}`, { cause: error });
      }
    }),
  );

/** Keys of a ConfigMap, which are file names without folders. */
function byName(files: readonly Text[]): Readonly<Record<string, string>> {
  const named = new Map<string, string>();
  for (const { path, text } of files) {
    const name = basename(path);
    if (named.has(name)) throw new UsageError(`--rules ${printable(path)}: there is another file ${name}: give files of different names`);
    named.set(name, text);
  }
  return Object.fromEntries(named);
}

const asJson = (items: readonly Manifest[]): string =>
  formatStructured(items.length === 1 ? items[0] : { apiVersion: 'v1', kind: 'List', metadata: {}, items }, 'json');
