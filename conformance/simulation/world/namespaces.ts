/** Where Services and pods live. */
export const namespaces: readonly string[] = ['one', 'two', 'three'];
