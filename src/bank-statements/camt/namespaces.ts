const PREFIX = 'xmlns';

/** Namespaces declared by the open elements; an envelope may declare the document's namespace. */
export class Namespaces {
  /** Own declarations of each open element; copies of inherited ones would cost time and memory. */
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

  /** Namespace of an element name; empty if it has none. */
  of(name: string): string {
    const at = name.indexOf(':');
    const wanted = at === -1 ? PREFIX : `${PREFIX}:${name.slice(0, at)}`;
    return this.scopes.findLast((scope) => scope.has(wanted))?.get(wanted) ?? '';
  }
}
