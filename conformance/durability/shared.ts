import type { Client } from './client.ts';
import { namespace, widgetDefinition } from './kinds.ts';

/** A ConfigMap that all writers patch, each under a key of its own. */
export interface Shared {
  /** Sets the key of a writer to its next number. @returns a problem if the server refuses the write */
  write(client: Client, writer: number): Promise<string | undefined>;
  /** Compares the numbers with the ConfigMap of a restarted server. @returns the problems */
  compare(data: Readonly<Record<string, string>>): string[];
}

export const sharedName = 'shared';

/** Whether only one client writes the objects of this name. */
export const hasOneWriter = (name: string | undefined): boolean => name !== sharedName && name !== widgetDefinition.metadata.name;

const path = `/api/v1/namespaces/${namespace}/configmaps/${sharedName}`;

export function createShared(): Shared {
  const acknowledged = new Map<number, number>();
  const pending = new Map<number, number>();
  return {
    async write(client, writer) {
      const next = (acknowledged.get(writer) ?? 0) + 1;
      pending.set(writer, next);
      const body = { data: { [`writer-${writer}`]: String(next) } };
      const { code, object } = await client.send({ method: 'PATCH', path, body, contentType: 'application/merge-patch+json' });
      pending.delete(writer);
      if (code !== 200) return `PATCH ${path}: ${code} ${object.message}`;
      acknowledged.set(writer, next);
      return undefined;
    },
    compare(data) {
      const problems: string[] = [];
      for (const writer of new Set([...acknowledged.keys(), ...pending.keys()])) {
        const found = Number(data[`writer-${writer}`] ?? 0);
        const allowed = [acknowledged.get(writer) ?? 0, pending.get(writer)];
        if (!allowed.includes(found))
          problems.push(`shared ConfigMap: writer ${writer} acknowledged ${allowed.join(' or ')}, found ${found}`);
        acknowledged.set(writer, found);
      }
      pending.clear();
      return problems;
    },
  };
}
