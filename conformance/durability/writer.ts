import type { ApiObject } from 'kube-endpoints/port';
import type { Random } from '../model/random.ts';
import type { Client } from './client.ts';
import { changeWrite, configMaps, createWrite, deleteWrite, type Kind, kinds } from './kinds.ts';
import { type Entry, type Ledger, versionOf } from './ledger.ts';
import type { Shared } from './shared.ts';

export interface WriterOptions {
  /** 0-based. */
  readonly number: number;
  readonly random: Random;
  readonly client: Client;
  readonly ledger: Ledger;
  readonly shared: Shared;
  /** Characters in new ConfigMaps and Widgets. */
  readonly paddingLength: number;
  /** Distinguishes the marks of this run. */
  readonly run: number;
  onAcknowledged(): void;
}

export interface WriterResult {
  /** Number of acknowledged writes. */
  readonly writes: number;
  readonly problems: readonly string[];
}

/** Writes objects of all kinds, one call after the other, until the connection breaks. Only this writer writes these objects. */
export async function runWriter(options: WriterOptions): Promise<WriterResult> {
  const { number, random, client, shared, run } = options;
  const problems: string[] = [];
  let writes = 0;
  try {
    for (let count = 0; problems.length === 0; count++) {
      const problem = random.chance(0.05) ? await shared.write(client, number) : await writeOnce(options, `${run}-${number}-${count}`);
      if (problem !== undefined) problems.push(problem);
      writes += 1;
      options.onAcknowledged();
    }
  } catch {
    // The connection broke: the server was killed.
  }
  client.close();
  return { writes, problems };
}

const slots = 3;

/** @returns a problem if the server refuses the write */
async function writeOnce({ number, random, client, ledger, paddingLength }: WriterOptions, mark: string): Promise<string | undefined> {
  const kind = pickKind(random, number);
  const entry = ledger.entry(kind, nameOf(kind, number, random.below(slots)));
  const { object } = entry;
  const write = !object
    ? createWrite(kind, entry.name, mark, 'x'.repeat(random.below(paddingLength)))
    : random.chance(0.15)
      ? deleteWrite(kind, entry.name)
      : changeWrite(random, kind, object, mark);
  entry.pending = write;
  const answer = await client.send(write.call);
  delete entry.pending;
  if (answer.code >= 300) {
    if (kind.hasBackgroundWrites && isAfterDeletion(answer.code, object, entry)) return refresh(client, ledger, entry);
    return `${write.call.method} ${write.call.path}: ${answer.code} ${answer.object.message}`;
  }
  recordAnswer(ledger, entry, write.call.method, answer.object);
  return undefined;
}

/**
 * Whether the server refuses a write because it itself deletes a definition after its deletion was requested: a change finds nothing (404), an
 * apply would create an incomplete one (422), and a create finds the previous object (409).
 */
function isAfterDeletion(code: number, sent: ApiObject | undefined, { object }: Entry): boolean {
  const isDeleted = sent !== undefined && (object === undefined || sent.metadata.deletionTimestamp !== undefined);
  return code === 409 || (isDeleted && (code === 404 || code === 422));
}

const pickKind = (random: Random, number: number): Kind => {
  const kind = random.pick(kinds);
  return kind.hasBackgroundWrites && (number > 1 || random.chance(0.7)) ? configMaps : kind;
};

const nameOf = ({ hasBackgroundWrites }: Kind, number: number, slot: number): string =>
  hasBackgroundWrites ? `gadgets${number}x.example.com` : `c${number}-${slot}`;

function recordAnswer(ledger: Ledger, entry: Entry, method: string, object: Parameters<typeof versionOf>[0]): void {
  const { kind, name } = entry;
  if (method !== 'DELETE') ledger.see(kind, name, object, versionOf(object));
  // A Status has no version.
  else if (object['status'] === 'Success') entry.object = undefined;
  else if (kind.hasBackgroundWrites) ledger.see(kind, name, object, versionOf(object));
  else ledger.see(kind, name, undefined, versionOf(object));
}

async function refresh(client: Client, ledger: Ledger, entry: Entry): Promise<undefined> {
  const { code, object } = await client.send({ method: 'GET', path: `${entry.kind.path}/${entry.name}` });
  if (code === 404) entry.object = undefined;
  else ledger.see(entry.kind, entry.name, object, versionOf(object));
}
