import type { MailMessages } from '../messages.js';

export const en: MailMessages = {
  testMode: 'Test mode: no money has moved.',
  paid: {
    title: 'Payment received',
    text: 'An order of {merchant} has been paid.',
    subject: '{amount} received for order {order}',
    order: 'Order',
    txid: 'Transaction',
    amount: 'Amount',
    received: 'Received',
    method: 'Paid with',
    payer: 'Payer',
    account: 'Account',
    time: 'Paid on',
    description: 'Description',
    fields: 'From your shop',
    exceptions: {
      underpaid: 'Less money arrived than the order came to.',
      overpaid:
        'More money arrived than the order came to. Please return the difference to the payer.',
      paid_late: 'The money arrived after the order had been closed. Please check the order.',
      duplicate_payment:
        'The order was paid more than once. Please return what is too much to the payer.',
      wrong_currency: 'The money arrived in another currency. Please check the order.',
      charged_back: 'The payer’s bank took the money back. Please check the order.',
    },
  },
  confirm: {
    title: 'Would you like these e-mails?',
    text: '{merchant} would like to notify {email} of each paid order.',
    subject: 'Please confirm: e-mails about orders of {merchant}',
    otherwise: 'If you do not expect this, ignore it: no other e-mail will follow.',
    button: 'See and confirm',
    why: 'This was sent because {merchant} entered the address {email}.',
  },
  sample: {
    title: 'Your e-mails arrive',
    text: 'E-mails about paid orders of {merchant} will reach you like this one.',
    subject: 'Test e-mail of {merchant}',
  },
  endpoint: {
    address: 'Endpoint',
    since: 'Failing since',
    failing: {
      hour: 'Webhooks have been failing for an hour',
      day: 'Webhooks have been failing for a day',
      text: 'A webhook endpoint of {merchant} does not accept any events.',
      next: 'We keep trying. After five days without success the endpoint is switched off.',
    },
    disabled: {
      title: 'A webhook endpoint was switched off',
      text: 'This endpoint of {merchant} has accepted no events for days, so nothing more is sent to it.',
      gone: 'This endpoint of {merchant} answered that it no longer exists, so nothing more is sent to it.',
      next: 'No event is lost: once the endpoint works, switch it on and have the missing events sent again.',
    },
  },
  why: 'You receive this because {email} is confirmed for e-mails about orders of {merchant}.',
  unsubscribe: 'Unsubscribe',
  pages: {
    unconfirmed: {
      title: 'Would you like these e-mails?',
      text: '{merchant} would like to notify {email} of each paid order.',
      confirm: 'Yes, send them',
      decline: 'No, thank you',
    },
    confirmed: {
      title: 'E-mails are on',
      text: '{email} gets an e-mail about each paid order of {merchant}.',
      unsubscribe: 'Stop these e-mails',
    },
    unsubscribed: {
      title: 'E-mails are off',
      text: '{email} gets no more e-mails about orders of {merchant}.',
      confirm: 'Turn them on again',
    },
    not_found: {
      title: 'Page not found',
      text: 'There is nothing at this address. The link may be out of date.',
    },
    unavailable: {
      title: 'Please try again in a moment',
      text: 'The page cannot be shown right now.',
    },
    too_many_requests: {
      title: 'One moment, please',
      text: 'There were too many requests from your connection. Please wait a minute and try again.',
    },
  },
};
