import { plainWord } from '../../../common/known.js';
import { Typed } from '../../kit/components.js';

const TEXTS_MAX = 5;

interface Props {
  readonly evidence: Readonly<Record<string, unknown>>;
}

/** Evidence recorded with a match. */
export const Evidence = ({ evidence }: Props) => (
  <>
    {Object.entries(evidence)
      .filter(([, value]) => value !== null && value !== '')
      .map(([name, value]) => (
        <div>
          <span class="text-secondary">{plainWord(wordsOf(name))}:</span>{' '}
          <Typed text={textOf(value)} />
        </div>
      ))}
  </>
);

const wordsOf = (name: string): string =>
  name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

function textOf(value: unknown): string {
  if (Array.isArray(value)) return value.slice(0, TEXTS_MAX).map(textOf).join(', ');
  return typeof value === 'string' ? value : JSON.stringify(value);
}
