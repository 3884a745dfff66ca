import type { MailMessages } from '../messages.js';

export const pl: MailMessages = {
  testMode: 'Tryb testowy: nie przekazano żadnych pieniędzy.',
  paid: {
    title: 'Otrzymano płatność',
    text: 'Zamówienie w {merchant} zostało opłacone.',
    subject: 'Otrzymano {amount} za zamówienie {order}',
    order: 'Zamówienie',
    txid: 'Transakcja',
    amount: 'Kwota',
    received: 'Otrzymano',
    method: 'Sposób płatności',
    payer: 'Płatnik',
    account: 'Rachunek',
    time: 'Opłacono',
    description: 'Opis',
    fields: 'Z Twojego sklepu',
    exceptions: {
      underpaid: 'Wpłynęło mniej pieniędzy, niż wynosi zamówienie.',
      overpaid: 'Wpłynęło więcej pieniędzy, niż wynosi zamówienie. Zwróć różnicę płatnikowi.',
      paid_late: 'Pieniądze wpłynęły po zamknięciu zamówienia. Sprawdź zamówienie.',
      duplicate_payment: 'Zamówienie opłacono więcej niż raz. Zwróć nadwyżkę płatnikowi.',
      wrong_currency: 'Pieniądze wpłynęły w innej walucie. Sprawdź zamówienie.',
      charged_back: 'Bank płatnika cofnął płatność. Proszę sprawdzić zamówienie.',
    },
  },
  confirm: {
    title: 'Czy chcesz otrzymywać te e-maile?',
    text: '{merchant} chce informować {email} o każdym opłaconym zamówieniu.',
    subject: 'Prosimy o potwierdzenie: e-maile o zamówieniach w {merchant}',
    otherwise:
      'Jeśli się tego nie spodziewasz, nie musisz nic robić: nie przyjdzie żaden inny e-mail.',
    button: 'Zobacz i potwierdź',
    why: 'Wysłano tę wiadomość, ponieważ {merchant} podał adres {email}.',
  },
  sample: {
    title: 'Twoje e-maile docierają',
    text: 'E-maile o opłaconych zamówieniach w {merchant} będą docierać tak jak ten.',
    subject: 'Testowy e-mail od {merchant}',
  },
  endpoint: {
    address: 'Adres webhooka',
    since: 'Nie działa od',
    failing: {
      hour: 'Webhooki nie działają od godziny',
      day: 'Webhooki nie działają od doby',
      text: 'Webhook {merchant} nie przyjmuje żadnych zdarzeń.',
      next: 'Próbujemy dalej. Po pięciu dniach bez powodzenia webhook zostanie wyłączony.',
    },
    disabled: {
      title: 'Webhook został wyłączony',
      text: 'Ten webhook {merchant} od wielu dni nie przyjął żadnego zdarzenia, więc nic więcej nie jest do niego wysyłane.',
      gone: 'Ten webhook {merchant} odpowiedział, że już nie istnieje, więc nic więcej nie jest do niego wysyłane.',
      next: 'Żadne zdarzenie nie przepadło: gdy webhook zacznie działać, włącz go i zleć ponowne wysłanie brakujących zdarzeń.',
    },
  },
  why: 'Otrzymujesz tę wiadomość, ponieważ adres {email} potwierdzono dla e-maili o zamówieniach w {merchant}.',
  unsubscribe: 'Wypisz się',
  pages: {
    unconfirmed: {
      title: 'Czy chcesz otrzymywać te e-maile?',
      text: '{merchant} chce informować {email} o każdym opłaconym zamówieniu.',
      confirm: 'Tak, proszę wysyłać',
      decline: 'Nie, dziękuję',
    },
    confirmed: {
      title: 'E-maile są włączone',
      text: '{email} otrzymuje e-mail o każdym opłaconym zamówieniu w {merchant}.',
      unsubscribe: 'Nie wysyłaj więcej e-maili',
    },
    unsubscribed: {
      title: 'E-maile są wyłączone',
      text: '{email} nie otrzymuje już e-maili o zamówieniach w {merchant}.',
      confirm: 'Włącz ponownie',
    },
    not_found: {
      title: 'Nie znaleziono strony',
      text: 'Pod tym adresem niczego nie ma. Link może być nieaktualny.',
    },
    unavailable: {
      title: 'Spróbuj ponownie za chwilę',
      text: 'Nie można teraz wyświetlić strony.',
    },
    too_many_requests: {
      title: 'Chwileczkę',
      text: 'Z Twojego połączenia przyszło zbyt wiele żądań. Odczekaj minutę i spróbuj ponownie.',
    },
  },
};
