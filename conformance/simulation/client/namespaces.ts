/** The namespaces of Services and pods. */
export const namespaces: readonly string[] = ['one', 'two', 'three'];
