import type { Messages } from '../messages.js';

export const en: Messages = {
  testBanner: 'This is a test page. No money moves.',
  order: 'Order {id}',
  pay: 'Pay {amount}',
  payBy: 'Please pay by {time}',
  timeLeft: '{time} left',
  fiveMinutes: '5 minutes left to pay.',
  oneMinute: '1 minute left to pay.',
  chooseMethod: 'How would you like to pay?',
  continueAtBank: 'Continue at the bank',
  cancel: 'Cancel this order',
  cancelWarning: 'The order will be closed and can no longer be paid.',
  cancelYes: 'Yes, cancel the order',
  back: 'Back to {merchant}',
  leaving: 'You will be taken back to {merchant} in {seconds} s.',
  stay: 'Stay on this page',
  questions: 'Questions? {contact}',
  progress: 'Progress',
  steps: ['Pay', 'Bank confirms', 'Done'],
  language: 'Language',
  states: {
    open: {
      title: 'Your payment',
      happened: '',
      next: 'In the next step you confirm the payment at your bank.',
    },
    processing: {
      title: 'Waiting for your payment',
      happened: 'Your payment has been started but is not confirmed yet.',
      next: 'Please confirm it at your bank. If you have done so already, just wait a moment: this page updates by itself.',
    },
    unknown: {
      title: 'We are checking your payment',
      happened: 'We do not have a clear answer from the bank yet.',
      next: 'Please do not pay again. This page updates by itself, and you can safely close it.',
    },
    paid: {
      title: 'Paid',
      happened: 'Thank you! Your payment has arrived.',
      next: '{merchant} has been told. You can close this page.',
    },
    overpaid: {
      title: 'Paid, and more than needed',
      happened: 'Thank you! We received {received}; the order came to {amount}.',
      next: '{merchant} has been told about the difference. Please contact them to have it returned.',
    },
    underpaid: {
      title: 'Part of the amount is missing',
      happened: 'We received {received} of {amount}. Thank you!',
      next: 'Please pay the remaining {due} to complete the order.',
    },
    paid_late: {
      title: 'Your money has arrived',
      happened: 'Your payment reached us, but this order is already closed.',
      next: '{merchant} has been told. Please do not pay again, and contact them to settle what happens next.',
    },
    declined: {
      title: 'The payment did not go through',
      happened: 'No money was taken.',
      next: 'You can try again, or pay from another account.',
    },
    failed: {
      title: 'The payment did not go through',
      happened: 'No money was taken, and this order cannot be tried again.',
      next: 'Please place a new order with {merchant}, or contact them for help.',
    },
    cancelled: {
      title: 'Order cancelled',
      happened: 'This order was cancelled. No money was taken.',
      next: 'If you still want to buy, please place a new order with {merchant}.',
    },
    expired: {
      title: 'The time to pay is over',
      happened: 'This order was not paid in time. No money was taken.',
      next: 'If you still want to buy, please place a new order with {merchant}.',
    },
  },
  declines: {
    insufficient_funds: 'There is not enough money in the account for this payment.',
    limit_exceeded: 'The payment is above the limit of the account.',
    account_blocked: 'The account or card is blocked.',
    authentication_failed: 'The payment could not be confirmed.',
    cancelled_by_payer: 'The payment was cancelled at the bank.',
    timeout: 'The bank did not answer in time.',
    declined: 'The bank refused the payment.',
  },
  pages: {
    not_found: {
      title: 'Page not found',
      text: 'There is no payment page at this address. Please check the link, or open it again from the shop.',
    },
    unavailable: {
      title: 'Please try again in a moment',
      text: 'The payment page cannot be shown right now. If you have already paid, please do not pay again.',
    },
    too_many_requests: {
      title: 'One moment, please',
      text: 'There were too many requests from your connection. Please wait a minute and load the page again.',
    },
  },
};
