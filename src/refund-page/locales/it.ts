import type { RefundPageMessages } from '../messages.js';

export const it: RefundPageMessages = {
  title: 'Il tuo rimborso',
  why: '{merchant} ti restituisce {amount}. La banca non ci ha comunicato da quale conto hai pagato: indica dove inviare il denaro.',
  holder: 'Intestatario del conto',
  iban: 'IBAN',
  once: 'Controlla i dati: dopo l’invio non si possono più modificare.',
  send: 'Rimborsa su questo conto',
  faults: {
    holder: 'Inserisci il nome dell’intestatario del conto, con al massimo 70 caratteri.',
    iban: 'Questo IBAN non è valido. Confrontalo con la tua carta o con un estratto conto.',
    unreachable:
      'Questo conto non può ricevere bonifici in euro. Inserisci un conto di una banca dell’area SEPA.',
  },
  entered: {
    title: 'Grazie',
    text: '{amount} andranno sul conto {account}. Dopo un controllo di almeno un giorno, il bonifico richiede di solito uno o due giorni lavorativi.',
    warning: 'Se non hai inserito tu questo conto, contatta subito {merchant}.',
  },
  sent: {
    title: 'Il tuo rimborso è stato inviato',
    text: '{amount} sono stati inviati al conto {account}.',
  },
  ended: {
    title: 'Questo rimborso è terminato',
    text: 'Qui non si può più inserire un conto. Se aspetti ancora del denaro, contatta {merchant}.',
  },
};
