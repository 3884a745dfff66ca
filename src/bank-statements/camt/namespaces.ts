const PREFIX = 'xmlns';

/** Which namespaces the open elements have declared: an envelope may name that of the document within. */
export class Namespaces {
  /** Of each element, what it declares itself: copies of all above it would take time and memory. */
  private readonly scopes: ReadonlyMap<string, string>[] = [];

  open(attributes: Readonly<Record<string, string>>): void {
    const declared = Object.entries(attributes).filter(
      ([name]) => name === PREFIX || name.startsWith(`${PREFIX}:`),
    );
    this.scopes.push(new Map(declared));
  }

  close(): void {
    this.scopes.pop();
  }

  /** That of an element with such a name; empty when it has none. */
  of(name: string): string {
    const at = name.indexOf(':');
    const wanted = at === -1 ? PREFIX : `${PREFIX}:${name.slice(0, at)}`;
    return this.scopes.findLast((scope) => scope.has(wanted))?.get(wanted) ?? '';
  }
}
