/** Limits the connections of a server, so that clients without a complete request cannot shut out others. */
export interface ConnectionLimiter<Connection> {
  /** The open connections, oldest first. */
  readonly entries: ReadonlySet<ConnectionEntry<Connection>>;
  /**
   * Adds an accepted connection, and closes a connection if there are too many: the oldest incomplete one, else the longest idle one,
   * else the new one.
   * @param address the address of the client
   * @returns undefined if the new connection was closed
   */
  add(connection: Connection, address: string): ConnectionEntry<Connection> | undefined;
  /** Counts a complete request that is being answered. Until `end`, the connection is not closed for another one. */
  begin(entry: ConnectionEntry<Connection>): void;
  end(entry: ConnectionEntry<Connection>): void;
  /** Records activity of an idle connection. */
  touch(entry: ConnectionEntry<Connection>): void;
  /** Removes a closed connection. */
  remove(entry: ConnectionEntry<Connection>): void;
}

export interface ConnectionEntry<Connection> {
  readonly connection: Connection;
  readonly address: string;
  /** Number of complete requests that are being answered; changed by the limiter only. */
  requestCount: number;
}

export interface ConnectionLimiterOptions<Connection> {
  readonly maxConnections: number;
  /** Closes a connection, which is already removed. */
  readonly close: (connection: Connection) => void;
}

/**
 * A connection is incomplete until its first request is complete, and idle while no complete request is being answered. Of the connections
 * of one address, at most a quarter of the maximum can be incomplete; the oldest is closed first, so that others of that address get in.
 */
export function createConnectionLimiter<Connection>({
  maxConnections,
  close,
}: ConnectionLimiterOptions<Connection>): ConnectionLimiter<Connection> {
  type Entry = ConnectionEntry<Connection>;
  const maxIncompletePerAddress = Math.max(minIncompletePerAddress, Math.floor(maxConnections / 4));
  const entries = new Set<Entry>();
  const incomplete = createIncompleteConnections<Entry>();
  /** In the order of closing. */
  const idle = new Set<Entry>();
  const remove = (entry: Entry): void => {
    entries.delete(entry);
    idle.delete(entry);
    incomplete.delete(entry);
  };
  const findSurplus = (added: Entry): Entry | undefined => {
    const ofAddress = incomplete.ofAddress(added.address);
    if (ofAddress.size > maxIncompletePerAddress) return first(ofAddress);
    if (entries.size <= maxConnections) return undefined;
    const oldest = first(incomplete.all);
    return oldest === added ? (first(idle) ?? added) : oldest;
  };
  return {
    entries,
    add(connection, address) {
      const added: Entry = { connection, address, requestCount: 0 };
      entries.add(added);
      incomplete.add(added);
      const surplus = findSurplus(added);
      if (!surplus) return added;
      remove(surplus);
      close(surplus.connection);
      return surplus === added ? undefined : added;
    },
    begin(entry) {
      entry.requestCount += 1;
      incomplete.delete(entry);
      idle.delete(entry);
    },
    end(entry) {
      entry.requestCount -= 1;
      if (entry.requestCount === 0 && entries.has(entry)) idle.add(entry);
    },
    touch(entry) {
      if (idle.delete(entry)) idle.add(entry);
    },
    remove,
  };
}

/** Incomplete connections, oldest first. */
interface IncompleteConnections<Entry> {
  readonly all: ReadonlySet<Entry>;
  ofAddress(address: string): ReadonlySet<Entry>;
  add(entry: Entry): void;
  delete(entry: Entry): void;
}

function createIncompleteConnections<Entry extends { readonly address: string }>(): IncompleteConnections<Entry> {
  const all = new Set<Entry>();
  const byAddress = new Map<string, Set<Entry>>();
  const ofAddress = (address: string): Set<Entry> => byAddress.get(address) ?? new Set();
  return {
    all,
    ofAddress,
    add(entry) {
      all.add(entry);
      byAddress.set(entry.address, ofAddress(entry.address).add(entry));
    },
    delete(entry) {
      if (!all.delete(entry)) return;
      const others = ofAddress(entry.address);
      others.delete(entry);
      if (others.size === 0) byAddress.delete(entry.address);
    },
  };
}

function first<T>(set: ReadonlySet<T>): T | undefined {
  for (const element of set) return element;
  return undefined;
}

/** Lets a client open some connections at the same time even if the maximum is small. */
const minIncompletePerAddress = 16;
