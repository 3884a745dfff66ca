import { isPossibleDuplicate, isWaiting } from '../../../bank/recognition/waiting-line.js';
import type { SeenPlace } from '../../../database/bank/matching/bank-queue.repository.js';
import type { BankLine } from '../../../database/bank/lines/bank-line.entity.js';
import type { SignedInContext } from '../../../people/portal-context.js';
import { Card, Code, Detail, DetailList, ListCard } from '../../kit/card.js';
import { Cell, Rows, Typed, When } from '../../kit/components.js';
import { Trouble } from '../../kit/fields.js';
import type { Problems } from '../../kit/form.js';
import { moneyText } from '../../kit/order-text.js';
import { TextValue } from '../../kit/values.js';
import { renderPage } from '../../layout/shell.view.js';
import { ZONE } from '../payouts/platform-components.js';
import { collectionAccountsPath } from '../collection-accounts/collection-accounts-path.js';
import { Allocations } from './allocations.view.js';
import { bankPath } from './bank-path.js';
import { AccountValue, DayValue, BankDone, LineAmount, LineTag } from './line-components.js';
import {
  Duplicate,
  IgnoreForm,
  type LineForm,
  MatchForm,
  NoteForm,
  ReturnForm,
  Suggestions,
} from './line-forms.view.js';
import { Returns } from './returns.view.js';
import type { BankLinePage } from './line-page.service.js';
import { ageText, kindText, reasonText } from './line-text.js';

export interface LineProps {
  readonly context: SignedInContext;
  readonly page: BankLinePage;
  /** Whether forms are shown. */
  readonly mayAct: boolean;
  /** The submitted form. */
  readonly sent?: LineForm;
  readonly form?: URLSearchParams;
  readonly problems?: Problems;
  readonly done?: unknown;
}

export function renderLine(props: LineProps): string {
  const {
    context,
    page,
    page: { line },
    problems,
    done,
  } = props;
  return renderPage({
    context,
    title: line.direction === 'in' ? 'Incoming payment' : 'Outgoing payment',
    subtitle: (
      <>
        <a href={bankPath(line.mode)}>Bank</a> · Times in UTC
      </>
    ),
    children: (
      <>
        <BankDone word={done} />
        <Trouble problems={problems} />
        <Head {...page} />
        <Duplicate {...props} />
        <Suggestions {...props} />
        {page.allocations.length > 0 && <Allocations {...props} />}
        {page.returns.length > 0 && <Returns {...props} />}
        <Facts line={line} />
        {props.mayAct && <Ways {...props} />}
        {page.places.length > 0 && <Places places={page.places} />}
        <Notes {...props} />
      </>
    ),
  });
}

const Head = ({ line, doubt, isOurs, left, returnable, now }: BankLinePage) => (
  <Card id="line" title={'Status'}>
    <p class="order-amount">
      <LineAmount {...line} />
      <LineTag {...line} />
    </p>
    <p class="order-story">
      {line.reason !== null && <TextValue text={reasonText(line.reason)} />}
      {isWaiting(line) && <> Waiting {ageText(line, now)}.</>}
      {left > 0 && left !== line.amount && line.currency !== null && (
        <> {moneyText(left, line.currency)} not matched yet.</>
      )}
      {left > 0 && !isOurs && (
        <>
          {' '}
          It cannot be matched until its account is a{' '}
          <a href={collectionAccountsPath(line.mode)}>collection account</a> of its currency.
        </>
      )}
      {returnable > 0 && returnable !== line.amount && line.currency !== null && (
        <> {moneyText(returnable, line.currency)} not explained yet.</>
      )}
    </p>
    {doubt !== null && doubt !== line.reason && <p class="order-story mt-2">{reasonText(doubt)}</p>}
  </Card>
);

const Facts = ({ line }: { readonly line: BankLine }) => (
  <Card id="facts" title="Bank data">
    <DetailList>
      <Detail name={line.direction === 'in' ? 'Payer' : 'Payee'}>
        <TextValue text={line.counterpartyName} />
      </Detail>
      <Detail name="Counterparty account">
        <AccountValue account={line.counterpartyAccount} type={line.counterpartyAccountType} />
      </Detail>
      <Detail name="BIC">
        <TextValue text={line.counterpartyBic} />
      </Detail>
      <Detail name="Our account">
        <AccountValue account={line.account} />
      </Detail>
      <Detail name="Booking date">
        <DayValue day={line.bookedOn} />
      </Detail>
      <Detail name="Value date">
        <DayValue day={line.valuedOn} />
      </Detail>
      <Detail name="Type">
        {kindText(line.kind)}
        {line.status === 'announced' && ', not booked yet'}
      </Detail>
      <Detail name="End-to-end ID">
        <TextValue text={line.endToEndId} />
      </Detail>
      <Detail name="Bank reference">
        <TextValue text={line.bankReference} />
      </Detail>
      <Detail name="References">
        {line.references.length === 0 && <TextValue text={null} />}
        {line.references.map(({ value, type }) => (
          <div>
            <Code text={value} />
            {type !== null && (
              <span class="text-secondary">
                {' '}
                <TextValue text={type} />
              </span>
            )}
          </div>
        ))}
      </Detail>
      {line.unproven !== null && (
        <Detail name="Statement">
          <TextValue text={reasonText(line.unproven)} />
        </Detail>
      )}
      {line.contradicts !== null && (
        <Detail name="Contradiction">
          <TextValue text={line.contradicts} />
        </Detail>
      )}
    </DetailList>
    <h3 class="h4 mt-3">Text</h3>
    <p class="line-text mb-0">
      <TextValue text={line.text} />
    </p>
    <Identifiers identifiers={line.identifiers} />
  </Card>
);

/** Formats `entryBankReference` as "Entry bank reference". */
const wordsOf = (name: string): string => {
  const words = name.replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
  return words.charAt(0).toUpperCase() + words.slice(1);
};

function Identifiers({ identifiers }: Pick<BankLine, 'identifiers'>) {
  const given = Object.entries(identifiers).filter(([, value]) => value !== null);
  if (given.length === 0) return null;
  return (
    <details class="mt-3">
      <summary>All identifiers</summary>
      <DetailList>
        {given.map(([name, value]) => (
          <Detail name={wordsOf(name)}>
            <Code text={value!} />
          </Detail>
        ))}
      </DetailList>
    </details>
  );
}

const SOURCES: Readonly<Record<SeenPlace['source'], string>> = {
  cli: 'The command line',
  folder: 'The watched folder',
  portal: 'The portal',
};

const Places = ({ places }: { readonly places: readonly SeenPlace[] }) => (
  <ListCard id="places" title="Source statements">
    <Rows caption="Statements with this line" columns={['Statement', 'Entry', 'File', 'Imported']}>
      {places.map((place) => (
        <tr>
          <Cell label="Statement" class="strong">
            <TextValue text={place.statementId} />
            <div class="text-secondary">
              <TextValue text={place.format} />
            </div>
          </Cell>
          <Cell label="Entry">
            {place.entry + 1}
            {place.detail > 0 && `, part ${place.detail + 1}`}
          </Cell>
          <Cell label="File">
            <Typed text={place.fileName} />
            <div class="id">{place.sha256.slice(0, 16)}…</div>
          </Cell>
          <Cell label="Imported">
            <When at={place.seenAt} zone={ZONE} />
            <div class="text-secondary">
              {place.broughtByName === null ? (
                SOURCES[place.source]
              ) : (
                <Typed text={place.broughtByName} />
              )}
            </div>
          </Cell>
        </tr>
      ))}
    </Rows>
  </ListCard>
);

/** Actions available in the current state. */
const Ways = (props: LineProps) => (
  <>
    {props.page.left > 0 && props.page.isOurs && <MatchForm {...props} />}
    {props.page.returnable > 0 && <ReturnForm {...props} />}
    {mayChange(props.page.line) && <IgnoreForm {...props} />}
  </>
);

/** Lines that need an operator, and lines marked as not a payment. */
const mayChange = (line: BankLine): boolean =>
  (isWaiting(line) && !isPossibleDuplicate(line)) || line.state === 'ignored';

const Notes = (props: LineProps) => {
  const { notes } = props.page;
  if (notes.length === 0 && !props.mayAct) return null;
  return (
    <Card id="notes" title="Notes">
      {notes.length > 0 && (
        <ol class="rows mb-3">
          {notes.map(({ text, userName, createdAt }) => (
            <li>
              <p class="line-text mb-1">
                <Typed text={text} />
              </p>
              <span class="text-secondary">
                <Typed text={userName} />, <When at={createdAt} zone={ZONE} />
              </span>
            </li>
          ))}
        </ol>
      )}
      {props.mayAct && <NoteForm {...props} />}
    </Card>
  );
};
