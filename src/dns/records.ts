/** The types that a cluster's zones hold. */
export type DnsRecordType = 'A' | 'AAAA' | 'SRV' | 'PTR' | 'CNAME' | 'TXT' | 'NS' | 'SOA';

interface Owner {
  /** Absolute, with the final dot, in the letter case of the question. */
  readonly name: string;
  /** Seconds. */
  readonly ttl: number;
}

/** A resource record of class IN. Names in it are absolute, with the final dot. */
export type DnsRecord = Owner &
  (
    | { readonly type: 'A' | 'AAAA'; readonly address: string }
    | { readonly type: 'SRV'; readonly priority: number; readonly weight: number; readonly port: number; readonly target: string }
    | { readonly type: 'PTR' | 'CNAME' | 'NS'; readonly target: string }
    | { readonly type: 'TXT'; readonly texts: readonly string[] }
    | {
        readonly type: 'SOA';
        readonly mname: string;
        readonly rname: string;
        readonly serial: number;
        readonly refresh: number;
        readonly retry: number;
        readonly expire: number;
        readonly minimum: number;
      }
  );
