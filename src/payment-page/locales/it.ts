import type { Messages } from '../messages.js';

export const it: Messages = {
  testBanner: 'Questa è una pagina di prova. Non si muove denaro.',
  order: 'Ordine {id}',
  pay: 'Paga {amount}',
  payBy: 'Da pagare entro: {time}',
  timeLeft: 'ancora {time}',
  fiveMinutes: 'Mancano 5 minuti per pagare.',
  oneMinute: 'Manca 1 minuto per pagare.',
  chooseMethod: 'Come vuole pagare?',
  continueAtBank: 'Continua in banca',
  cancel: 'Annulla questo ordine',
  cancelWarning: 'L’ordine verrà chiuso e non potrà più essere pagato.',
  cancelYes: 'Sì, annulla l’ordine',
  back: 'Torna a {merchant}',
  leaving: 'Tra {seconds} s si torna a {merchant}.',
  stay: 'Resta su questa pagina',
  questions: 'Domande? {contact}',
  progress: 'Avanzamento',
  steps: ['Pagamento', 'Conferma della banca', 'Fatto'],
  language: 'Lingua',
  states: {
    open: {
      title: 'Il Suo pagamento',
      happened: '',
      next: 'Nel prossimo passaggio confermerà il pagamento presso la Sua banca.',
    },
    processing: {
      title: 'In attesa del Suo pagamento',
      happened: 'Il pagamento è stato avviato, ma non è ancora confermato.',
      next: 'Lo confermi presso la Sua banca. Se lo ha già fatto, attenda un momento: questa pagina si aggiorna da sola.',
    },
    unknown: {
      title: 'Stiamo verificando il Suo pagamento',
      happened: 'Non abbiamo ancora una risposta chiara dalla banca.',
      next: 'Non paghi una seconda volta. Questa pagina si aggiorna da sola e può chiuderla senza problemi.',
    },
    paid: {
      title: 'Pagato',
      happened: 'Grazie! Il Suo pagamento è arrivato.',
      next: '{merchant} ne è al corrente. Può chiudere questa pagina.',
    },
    overpaid: {
      title: 'Pagato, e più del dovuto',
      happened: 'Grazie! Abbiamo ricevuto {received}; l’ordine era di {amount}.',
      next: '{merchant} è al corrente della differenza. Contatti il negozio per riaverla.',
    },
    underpaid: {
      title: 'Manca una parte dell’importo',
      happened: 'Abbiamo ricevuto {received} su {amount}. Grazie!',
      next: 'Paghi i {due} rimanenti per completare l’ordine.',
    },
    paid_late: {
      title: 'Il Suo denaro è arrivato',
      happened: 'Il pagamento ci è arrivato, ma questo ordine è già chiuso.',
      next: '{merchant} ne è al corrente. Non paghi di nuovo e contatti il negozio per decidere come procedere.',
    },
    declined: {
      title: 'Il pagamento non è riuscito',
      happened: 'Non è stato addebitato nulla.',
      next: 'Può riprovare o pagare da un altro conto.',
    },
    failed: {
      title: 'Il pagamento non è riuscito',
      happened: 'Non è stato addebitato nulla e questo ordine non ammette altri tentativi.',
      next: 'Faccia un nuovo ordine presso {merchant} o chieda aiuto al negozio.',
    },
    cancelled: {
      title: 'Ordine annullato',
      happened: 'Questo ordine è stato annullato. Non è stato addebitato nulla.',
      next: 'Se desidera ancora acquistare, faccia un nuovo ordine presso {merchant}.',
    },
    expired: {
      title: 'Il tempo per pagare è scaduto',
      happened: 'Questo ordine non è stato pagato in tempo. Non è stato addebitato nulla.',
      next: 'Se desidera ancora acquistare, faccia un nuovo ordine presso {merchant}.',
    },
  },
  declines: {
    insufficient_funds: 'Il saldo del conto non basta per questo pagamento.',
    limit_exceeded: 'Il pagamento supera il limite del conto.',
    account_blocked: 'Il conto o la carta è bloccata.',
    authentication_failed: 'Non è stato possibile confermare il pagamento.',
    cancelled_by_payer: 'Il pagamento è stato annullato in banca.',
    timeout: 'La banca non ha risposto in tempo.',
    declined: 'La banca ha rifiutato il pagamento.',
  },
  pages: {
    not_found: {
      title: 'Pagina non trovata',
      text: 'A questo indirizzo non c’è nessuna pagina di pagamento. Controlli il link o lo apra di nuovo dal negozio.',
    },
    unavailable: {
      title: 'Riprovi tra un momento',
      text: 'Al momento la pagina di pagamento non può essere mostrata. Se ha già pagato, non paghi di nuovo.',
    },
    too_many_requests: {
      title: 'Un momento, per favore',
      text: 'La Sua connessione ha inviato troppe richieste. Attenda un minuto e ricarichi la pagina.',
    },
  },
};
