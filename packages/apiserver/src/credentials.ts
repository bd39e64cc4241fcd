import { createPrivateKey, generateKeyPairSync, type KeyObject, randomBytes, X509Certificate } from 'node:crypto';
import { join } from 'node:path';
import { credentialsName, DataError, type DataFolder, replaceFile, withFolderName, writeAll } from './data/index.ts';
import { createServingCertificate, type ServingCertificate } from './server/certificates.ts';
import type { ListenOptions } from './server/index.ts';
import { certificateNamesOf, checkOptions } from './server/options.ts';
import type { Clock } from './store/index.ts';

/** What clients of earlier listeners have. */
interface Credentials {
  /** The token of the administrator. */
  readonly token: string;
  readonly certificate?: ServingCertificate;
  /** The names in the certificate. */
  readonly names: readonly string[];
  /** The private key that signs tokens of ServiceAccounts, in PEM. */
  readonly signingKey?: string;
}

/** Credentials in the folder of saved objects, so that a kubeconfig and tokens stay valid after a restart. */
export interface CredentialStore {
  /**
   * Sets the token and the certificate of a listener to the saved ones, if they are not given. Creates and saves what is missing, and a new
   * certificate if the saved one lacks a name or expires soon.
   */
  addTo(options: ListenOptions): Promise<ListenOptions>;
  /** Returns the key that signs tokens of ServiceAccounts. Creates and saves it at first. */
  signingKey(): Promise<KeyObject>;
}

/** The functions throw a DataError if the saved credentials are damaged. */
export function createCredentialStore(folder: DataFolder, clock: Clock): CredentialStore {
  let previous: Promise<unknown> = Promise.resolve();
  // One after the other, so that listeners that open at the same time share the credentials.
  const enqueue = <T>(work: () => Promise<T>): Promise<T> => {
    const result = previous.then(() => withFolderName(folder, work));
    previous = result.catch(() => undefined);
    return result;
  };
  return {
    addTo: (options) => enqueue(() => addCredentials(folder, clock, options)),
    signingKey: () => enqueue(() => readOrCreateSigningKey(folder)),
  };
}

async function readOrCreateSigningKey(folder: DataFolder): Promise<KeyObject> {
  const saved = (await readCredentials(folder)) ?? createCredentials();
  if (saved.signingKey !== undefined) return createPrivateKey(saved.signingKey);
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  await writeCredentials(folder, { ...saved, signingKey: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString() });
  return privateKey;
}

const createCredentials = (): Credentials => ({ token: randomBytes(32).toString('base64url'), names: [] });

/** @throws RangeError if an option is invalid; DataError if the saved credentials are damaged */
async function addCredentials(folder: DataFolder, clock: Clock, options: ListenOptions): Promise<ListenOptions> {
  checkOptions(options);
  const { tls = true, tokens, anonymous = false } = options;
  const needsToken = tokens === undefined && !anonymous;
  if (tls !== true && !needsToken) return options;
  const saved = await readCredentials(folder);
  const credentials = completeCredentials(saved, tls === true ? certificateNamesOf(options) : [], clock.now());
  if (credentials !== saved) await writeCredentials(folder, credentials);
  return {
    ...options,
    ...(tls === true && { tls: credentials.certificate as ServingCertificate }),
    ...(needsToken && { tokens: [{ token: credentials.token }] }),
  };
}

/** @param requiredNames the names that the certificate must have; empty if no certificate is required */
function completeCredentials(saved: Credentials | undefined, requiredNames: readonly string[], now: number): Credentials {
  const credentials = saved ?? createCredentials();
  const { certificate, names } = credentials;
  const isUsable =
    requiredNames.length === 0 ||
    (certificate !== undefined &&
      requiredNames.every((name) => names.includes(name)) &&
      Date.parse(new X509Certificate(certificate.cert).validTo) - now > minValidityMs);
  if (isUsable) return credentials;
  const allNames = [...new Set([...names, ...requiredNames])];
  return { ...credentials, names: allNames, certificate: createServingCertificate({ names: allNames, now, randomBytes }) };
}

/** A certificate that expires earlier is replaced at a restart. */
const minValidityMs = 30 * 24 * 3_600_000;

async function readCredentials(folder: DataFolder): Promise<Credentials | undefined> {
  if (!(await folder.list()).includes(credentialsName)) return undefined;
  const file = await folder.open(credentialsName);
  try {
    return JSON.parse((await file.read(0, await file.size())).toString('utf8')) as Credentials;
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    const path = join(folder.path, credentialsName);
    throw new DataError(`${path} is damaged: remove it; then clients need a new kubeconfig, and ServiceAccounts new tokens`);
  } finally {
    await file.close();
  }
}

async function writeCredentials(folder: DataFolder, credentials: Credentials): Promise<void> {
  const bytes = Buffer.from(`${JSON.stringify(credentials, undefined, 2)}\n`);
  await replaceFile(folder, credentialsName, async (file) => {
    await writeAll(file, bytes, 0);
    return bytes.length;
  });
}
