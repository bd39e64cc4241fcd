/** Where the server is, in the parts that node:http takes. */
export interface ServerAddress {
  readonly isTls: boolean;
  readonly host: string;
  readonly port: number;
  /** For the header Host. */
  readonly authority: string;
  /** The path under which it is reached, without a slash at its end; mostly empty. */
  readonly prefix: string;
}

/** @param server such as "https://10.96.0.1:443/k8s/clusters/c-1" @throws Error */
export function parseServer(server: string): ServerAddress {
  // as client-go: without a scheme it is a host
  const url = URL.parse(server.includes('://') ? server : `http://${server}`);
  if (!url || (url.protocol !== 'https:' && url.protocol !== 'http:') || url.hostname === '') {
    throw new Error(`the kubeconfig's server ${JSON.stringify(server)} is no address such as "https://10.96.0.1:6443"`);
  }
  const isTls = url.protocol === 'https:';
  return {
    isTls,
    host: url.hostname.replace(/^\[|\]$/g, ''),
    port: Number(url.port || (isTls ? 443 : 80)),
    authority: url.host,
    prefix: url.pathname.replace(/\/+$/, ''),
  };
}
