import type { MailMessages } from '../messages.js';

export const it: MailMessages = {
  testMode: 'Modalità di prova: nessun denaro è stato trasferito.',
  paid: {
    title: 'Pagamento ricevuto',
    text: 'Un ordine di {merchant} è stato pagato.',
    subject: '{amount} ricevuti per l’ordine {order}',
    order: 'Ordine',
    txid: 'Transazione',
    amount: 'Importo',
    received: 'Ricevuto',
    method: 'Pagato con',
    payer: 'Pagante',
    account: 'Conto',
    time: 'Pagato il',
    description: 'Descrizione',
    fields: 'Dal tuo negozio',
    exceptions: {
      underpaid: 'È arrivato meno denaro dell’importo dell’ordine.',
      overpaid:
        'È arrivato più denaro dell’importo dell’ordine. Restituisci la differenza al pagante.',
      paid_late: 'Il denaro è arrivato quando l’ordine era già chiuso. Controlla l’ordine.',
      duplicate_payment:
        'L’ordine è stato pagato più di una volta. Restituisci l’eccedenza al pagante.',
      wrong_currency: 'Il denaro è arrivato in un’altra valuta. Controlla l’ordine.',
      charged_back: 'La banca del pagante ha ripreso il denaro. Controlli l’ordine.',
    },
  },
  confirm: {
    title: 'Vuoi ricevere queste e-mail?',
    text: '{merchant} vorrebbe informare {email} di ogni ordine pagato.',
    subject: 'Conferma, per favore: e-mail sugli ordini di {merchant}',
    otherwise: 'Se non te lo aspettavi, non devi fare nulla: non seguirà nessun’altra e-mail.',
    button: 'Vedi e conferma',
    why: 'Questa e-mail è stata inviata perché {merchant} ha inserito l’indirizzo {email}.',
  },
  sample: {
    title: 'Le tue e-mail arrivano',
    text: 'Le e-mail sugli ordini pagati di {merchant} ti arriveranno come questa.',
    subject: 'E-mail di prova di {merchant}',
  },
  endpoint: {
    address: 'Indirizzo del webhook',
    since: 'Non riuscito dal',
    failing: {
      hour: 'I webhook non riescono da un’ora',
      day: 'I webhook non riescono da un giorno',
      text: 'Un webhook di {merchant} non accetta alcun evento.',
      next: 'Continuiamo a provare. Dopo cinque giorni senza successo il webhook viene disattivato.',
    },
    disabled: {
      title: 'Un webhook è stato disattivato',
      text: 'Questo webhook di {merchant} non accetta eventi da giorni, perciò non gli viene più inviato nulla.',
      gone: 'Questo webhook di {merchant} ha risposto che non esiste più, perciò non gli viene più inviato nulla.',
      next: 'Nessun evento va perso: quando il webhook funziona, riattivalo e fai inviare di nuovo gli eventi mancanti.',
    },
  },
  why: 'Ricevi questa e-mail perché {email} è confermato per le e-mail sugli ordini di {merchant}.',
  unsubscribe: 'Annulla l’iscrizione',
  pages: {
    unconfirmed: {
      title: 'Vuoi ricevere queste e-mail?',
      text: '{merchant} vorrebbe informare {email} di ogni ordine pagato.',
      confirm: 'Sì, inviatemele',
      decline: 'No, grazie',
    },
    confirmed: {
      title: 'Le e-mail sono attive',
      text: '{email} riceve un’e-mail per ogni ordine pagato di {merchant}.',
      unsubscribe: 'Non ricevere più queste e-mail',
    },
    unsubscribed: {
      title: 'Le e-mail sono disattivate',
      text: '{email} non riceve più e-mail sugli ordini di {merchant}.',
      confirm: 'Riattivale',
    },
    not_found: {
      title: 'Pagina non trovata',
      text: 'A questo indirizzo non c’è nulla. Il link potrebbe essere scaduto.',
    },
    unavailable: {
      title: 'Riprova tra un momento',
      text: 'Al momento la pagina non può essere mostrata.',
    },
    too_many_requests: {
      title: 'Un momento, per favore',
      text: 'Dalla tua connessione sono arrivate troppe richieste. Attendi un minuto e riprova.',
    },
  },
};
