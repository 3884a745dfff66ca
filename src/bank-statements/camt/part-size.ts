import { LIMITS } from '../limits.js';
import { refuse } from '../refused.js';

/** Size of the statement part in memory; finished transactions of an entry do not count. */
export class PartSize {
  private elements = 0;
  private characters = 0;
  /** Size at the start of the current transaction. */
  private before = { elements: 0, characters: 0 };
  /** Characters of the finished transactions. */
  private finishedCharacters = 0;

  begin(): void {
    this.elements = 0;
    this.characters = 0;
    this.finishedCharacters = 0;
  }

  beginTransaction(): void {
    const { elements, characters } = this;
    this.before = { elements, characters };
  }

  /** @throws StatementRefusedError beyond the limit */
  endTransaction(line: number): void {
    const { elements, characters } = this.before;
    this.finishedCharacters += this.characters - characters;
    Object.assign(this, { elements, characters });
    if (this.finishedCharacters > LIMITS.entryText) {
      refuse(`Line ${line}: an entry has more than ${LIMITS.entryText} characters.`);
    }
  }

  /** @throws StatementRefusedError beyond the limit */
  addElement(line: number): void {
    this.elements += 1;
    if (this.elements > LIMITS.elements) {
      refuse(`Line ${line}: a part has more than ${LIMITS.elements} elements.`);
    }
  }

  /** @throws StatementRefusedError beyond the limit */
  addText(characters: number, line: number): void {
    this.characters += characters;
    if (this.characters > LIMITS.partText) {
      refuse(`Line ${line}: a part has more than ${LIMITS.partText} characters.`);
    }
  }
}
