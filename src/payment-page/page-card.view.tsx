import type { ComponentChildren } from 'preact';
import { fill } from '../common/markup.js';
import type { PageView } from './page-components.js';
import { isPayable, type PageState } from './page.model.js';
import { PayForm } from './pay-form.view.js';
import { TransferPanel } from './transfer-panel.view.js';
import { WAY_BACK_SECONDS } from './way-back.js';

type Tone = 'calm' | 'busy' | 'good' | 'warn' | 'ended';

const TONES: Record<PageState, Tone> = {
  open: 'calm',
  processing: 'busy',
  awaiting_transfer: 'calm',
  unknown: 'busy',
  paid: 'good',
  overpaid: 'good',
  declined: 'warn',
  underpaid: 'warn',
  paid_late: 'warn',
  charged_back: 'warn',
  failed: 'ended',
  cancelled: 'ended',
  expired: 'ended',
};

const ICON_PATHS: Record<Exclude<Tone, 'calm'>, string> = {
  busy: 'M12 7v5l3 2',
  good: 'M7 12.5l3.5 3.5 6.5-7.5',
  warn: 'M12 7v6M12 16.5v.01',
  ended: 'M8.5 8.5l7 7M15.5 8.5l-7 7',
};

/** Completed steps of three; orders that ended unpaid have none. */
const STEPS_DONE: Partial<Record<PageState, number>> = {
  open: 0,
  declined: 0,
  underpaid: 0,
  awaiting_transfer: 0,
  processing: 1,
  unknown: 1,
  paid: 3,
  overpaid: 3,
};

export function PaymentCard(view: PageView) {
  const { state } = view.pageKey;
  const { title } = view.messages.states[state];
  return (
    <section class={`card ${TONES[state]}`}>
      <div class="sum">
        <Icon tone={TONES[state]} />
        <h1 tabIndex={-1}>{title}</h1>
        <p class={view.slot.amountIsLong ? 'amount long' : 'amount'}>
          <bdi>{amountOf(view)}</bdi>
        </p>
        {view.slot.description && (
          <p class="about">
            <bdi>{view.slot.description}</bdi>
          </p>
        )}
        <Deadline {...view} />
      </div>
      <div class="act">
        {state === 'open' && <Actions {...view} />}
        <Explanation {...view} />
        {state !== 'open' && <Actions {...view} />}
      </div>
      <Steps {...view} />
    </section>
  );
}

/** Amount due, amount that arrived late, or otherwise the order's amount. */
function amountOf({ pageKey: { state }, slot }: PageView): string | undefined {
  const amount = state === 'paid_late' ? slot.amountReceived : slot.amountDue;
  return amount ?? slot.amount;
}

function Icon({ tone }: { tone: Tone }) {
  if (tone === 'calm') return null;
  return (
    <svg class="icon" viewBox="0 0 24 24" aria-hidden="true">
      <circle cx="12" cy="12" r="10.5" />
      <path d={ICON_PATHS[tone]} />
    </svg>
  );
}

/** In UTC; the script converts to local time and counts down. */
function Deadline({ slot, messages }: PageView) {
  if (!slot.deadline) return null;
  const time = (
    <time
      dateTime={slot.expiresAt}
      data-minutes-5={messages.fiveMinutes}
      data-minutes-1={messages.oneMinute}
    >
      {slot.deadline}
    </time>
  );
  return (
    <p class="deadline">
      <span>{fill(messages.payBy, { time })}</span>
      <span id="left" hidden>
        {fill(messages.timeLeft, { time: <b role="timer" aria-live="off" /> })}
      </span>
    </p>
  );
}

/** Explanation and next step, with the amounts and the merchant's name filled in. */
function Explanation({ pageKey: { state, theme }, slot, messages }: PageView) {
  const hasPart = state === 'awaiting_transfer' && slot.amountReceived;
  const { next } = messages.states[state];
  const { happened } = messages.states[hasPart ? 'underpaid' : state];
  const parts: Record<string, ComponentChildren> = {
    merchant: <bdi>{theme.name}</bdi>,
    amount: <bdi>{slot.amount}</bdi>,
    received: <bdi>{slot.amountReceived}</bdi>,
    due: <bdi>{slot.amountDue}</bdi>,
  };
  return (
    <>
      {(slot.declineReason || happened) && (
        <p class="happened">
          {slot.declineReason && `${slot.declineReason} `}
          {fill(happened, parts)}
        </p>
      )}
      <p class="next">{fill(next, parts)}</p>
      {slot.mayHaveSent && <p class="next">{fill(messages.transfer.tooLate, parts)}</p>}
      {slot.askedUntil && (
        <p class="next">{fill(messages.askedUntil, { time: <bdi>{slot.askedUntil}</bdi> })}</p>
      )}
    </>
  );
}

function Actions(view: PageView) {
  const { pageKey, slot, messages } = view;
  const { state } = pageKey;
  if (slot.reference) return <TransferPanel {...view} />;
  if (isPayable(state)) return pageKey.methods.length > 0 ? <PayForm {...view} /> : null;
  if (state === 'processing') {
    return (
      <a class="button" href={`/pay/${slot.token}/continue`}>
        {messages.continueAtBank}
      </a>
    );
  }
  return <WayBack {...view} />;
}

function WayBack({ pageKey: { state, theme, takesBack }, slot, messages }: PageView) {
  if (!slot.shopUrl) return null;
  const merchant = <bdi>{theme.name}</bdi>;
  const seconds = <span role="timer">{WAY_BACK_SECONDS}</span>;
  return (
    <>
      <a id="back" class={TONES[state] === 'good' ? 'button' : 'button quiet'} href={slot.shopUrl}>
        {fill(messages.back, { merchant })}
      </a>
      {takesBack && (
        <p id="leaving">
          {fill(messages.leaving, { merchant, seconds })}{' '}
          <a href={`/pay/${slot.token}?stay`}>{messages.stay}</a>
        </p>
      )}
    </>
  );
}

function Steps({ pageKey: { state }, messages }: PageView) {
  const done = STEPS_DONE[state];
  if (done === undefined) return null;
  return (
    <ol class="steps" aria-label={messages.progress}>
      {messages.steps.map((step, i) => (
        <li class={i < done ? 'done' : undefined} aria-current={i === done ? 'step' : undefined}>
          {step}
        </li>
      ))}
    </ol>
  );
}
