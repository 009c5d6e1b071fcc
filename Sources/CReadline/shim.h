// readline keeps its state in globals, which Swift 6 refuses to touch. Every global the editor
// needs has an accessor here. Only the editor's thread may call them.
#ifndef CREADLINE_SHIM_H
#define CREADLINE_SHIM_H

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <wchar.h>
#if defined(__has_include) && !__has_include(<readline/readline.h>)
#error "ReactorREPL links readline, whose headers are missing; try: apt-get install libreadline-dev"
#endif
#include <readline/readline.h>
#include <readline/history.h>

// libedit calls itself 4.2 and lacks what came later.
#if defined(RL_READLINE_VERSION) && RL_READLINE_VERSION >= 0x0800
#define CREADLINE_IS_GNU 1
#else
#define CREADLINE_IS_GNU 0
#endif
#define CREADLINE_CAN_PAINT CREADLINE_IS_GNU

typedef int (*creadline_getc_t)(FILE *);
typedef int (*creadline_hook_t)(void);
typedef char **(*creadline_completion_t)(const char *, int, int);
typedef void (*creadline_listing_t)(char **, int, int);

// The program reads the keys, sets the terminal modes and catches the signals: readline does
// none of it, so that nothing here ever blocks.
static inline void creadline_set_hooks(
    creadline_hook_t start, creadline_getc_t getc, creadline_hook_t available,
    creadline_completion_t complete, creadline_listing_t list) {
  rl_catch_signals = 0;
  rl_startup_hook = start;
  rl_getc_function = getc;
  rl_attempted_completion_function = complete;
  // The whole line is one word to readline: where words begin is the program's to say.
  rl_completer_word_break_characters = (char *)"";
  rl_completion_query_items = -1;
#if CREADLINE_IS_GNU
  rl_sort_completion_matches = 0;
  rl_completion_display_matches_hook = list;
  rl_catch_sigwinch = 0;
  rl_change_environment = 0;
  rl_input_available_hook = available;
  rl_prep_term_function = NULL;
  rl_deprep_term_function = NULL;
  rl_tty_set_echoing(1);
#endif
}

// GNU readline 8.2 dies of a prefix key within a search (Ctrl-R Ctrl-X, and most keys after that): such a
// key is kept from it. Escape is none of them, it ends the search.
static inline int creadline_must_not_see(unsigned char key) {
#if CREADLINE_IS_GNU
  return RL_ISSTATE(RL_STATE_ISEARCH) != 0 && key != '\033'
      && rl_get_keymap()[key].type == ISKMAP;
#else
  return 0;
#endif
}

// Meta-Return would switch to the keys of vi, without a word, and there is no way back that a person
// could guess; who wants them has said so in a file of their own.
static inline void creadline_unbind_traps(void) {
#if CREADLINE_IS_GNU
  Keymap meta = rl_get_keymap_by_name("emacs-meta");
  if (meta == NULL) return;
  rl_unbind_key_in_map('\r', meta);
  rl_unbind_key_in_map('\n', meta);
#endif
}

// PgUp and PgDn are the program's, whatever a file of settings makes of them.
static inline void creadline_bind_pages(rl_command_func_t *up, rl_command_func_t *down) {
#if CREADLINE_IS_GNU
  static const char *const names[] = {"emacs-standard", "vi-insert", "vi-command"};
  for (size_t index = 0; index < sizeof names / sizeof *names; index++) {
    Keymap map = rl_get_keymap_by_name(names[index]);
    if (map == NULL) continue;
    rl_bind_keyseq_in_map("\\e[5~", up, map);
    rl_bind_keyseq_in_map("\\e[6~", down, map);
  }
#endif
}

// Keys of a paste are the program's to read. readline would wait for the end of a paste, so it makes nothing of the
// mark before one; and where Enter ends the line, the program does, as a line with line breaks is several.
static inline void creadline_bind_paste_keys(rl_command_func_t *mark, rl_command_func_t *enter) {
#if CREADLINE_IS_GNU
  static const char *const names[] = {"emacs-standard", "vi-insert", "vi-command"};
  for (size_t index = 0; index < sizeof names / sizeof *names; index++) {
    Keymap map = rl_get_keymap_by_name(names[index]);
    if (map == NULL) continue;
    rl_bind_keyseq_in_map("\\e[200~", mark, map);
    if (map['\r'].function == rl_newline) map['\r'].function = enter;
    if (map['\n'].function == rl_newline) map['\n'].function = enter;
  }
#endif
}

// Whether a person's own settings want marks around a paste; they do unless they say otherwise.
static inline int creadline_wants_paste_marks(void) {
#if CREADLINE_IS_GNU
  const char *value = rl_variable_value("enable-bracketed-paste");
  return value != NULL && strcmp(value, "on") == 0;
#else
  return 0;
#endif
}

// What draws the line, whenever readline would do it.
static inline void creadline_set_redisplay(rl_voidfunc_t *redisplay) {
#if CREADLINE_IS_GNU
  rl_redisplay_function = redisplay;
#endif
}

// Draws another text in the line's place.
static inline void creadline_draw(char *text, int length, int point) {
  char *line = rl_line_buffer;
  int end = rl_end, at = rl_point;
  rl_line_buffer = text;
  rl_end = length;
  rl_point = point;
  rl_redisplay();
  rl_line_buffer = line;
  rl_end = end;
  rl_point = at;
}

// A stream of its own, fully buffered: each redraw reaches the terminal in one write.
static inline int creadline_open_output(int descriptor) {
  int copy = dup(descriptor);
  FILE *stream = copy < 0 ? NULL : fdopen(copy, "w");
  if (stream == NULL) return 0;
  setvbuf(stream, NULL, _IOFBF, 1 << 16);
  rl_outstream = stream;
  return 1;
}

static inline void creadline_close_output(void) {
  fclose(rl_outstream);
  rl_outstream = stdout;
}

static inline void creadline_write(const void *bytes, size_t count) {
  fwrite(bytes, 1, count, rl_outstream);
}

static inline void creadline_flush(void) { fflush(rl_outstream); }

static inline int creadline_end(void) { return rl_end; }

static inline int creadline_point(void) { return rl_point; }

static inline void creadline_move_to_end(void) { rl_point = rl_end; }

static inline void creadline_set_point(int point) { rl_point = point; }

static inline const char *creadline_buffer(void) { return rl_line_buffer; }

static inline void creadline_free(void *pointer) { free(pointer); }

static inline char *creadline_copy(const char *text) { return strdup(text); }

static inline void *creadline_allocate(size_t size) { return malloc(size); }

// The program's candidates are all there are, and all there is to them: file names are never
// offered, and no blank comes after them. readline forgets both after each completion.
static inline void creadline_leave_completion_to_program(void) {
  rl_attempted_completion_over = 1;
  rl_completion_append_character = '\0';
}

// How many columns a text takes as readline prints it: a control character takes two.
static inline int creadline_width(const char *text) {
  mbstate_t state;
  memset(&state, 0, sizeof state);
  size_t rest = strlen(text);
  int width = 0;
  while (rest > 0) {
    wchar_t character;
    size_t length = mbrtowc(&character, text, rest, &state);
    if (length == 0 || length > rest) return width + (int)rest;
    int columns = wcwidth(character);
    width += columns < 0 ? 2 : columns;
    text += length;
    rest -= length;
  }
  return width;
}

// Lists candidates below the line, in columns; the first of the array is not one of them.
static inline void creadline_list(char **candidates, int count, int width) {
  rl_display_match_list(candidates, count, width);
  rl_forced_update_display();
}

// Whether a search or an argument shows its own text where the prompt belongs.
static inline int creadline_shows_message(void) {
#if CREADLINE_IS_GNU
  return RL_ISSTATE(RL_STATE_ISEARCH | RL_STATE_NSEARCH | RL_STATE_NUMERICARG) != 0;
#else
  return 0;
#endif
}

static inline void creadline_clear_visible_line(void) {
#if CREADLINE_IS_GNU
  rl_clear_visible_line();
#else
  fputs("\r\033[K", rl_outstream);
#endif
}

static inline void creadline_abandon_line(void) {
#if CREADLINE_IS_GNU
  rl_callback_sigcleanup();
  rl_free_line_state();
#endif
}

// Its screen may be a part of the window: the region that it scrolls in.
static inline void creadline_set_screen_size(int rows, int columns) {
#if CREADLINE_IS_GNU
  rl_set_screen_size(rows, columns);
#else
  rl_resize_terminal();
#endif
}

// Whether the last key cleared the screen; each time is told once.
static inline int creadline_has_cleared_screen(void) {
#if CREADLINE_IS_GNU
  int has_cleared = rl_last_func == rl_clear_screen;
#if RL_READLINE_VERSION >= 0x0801
  has_cleared |= rl_last_func == rl_clear_display;
#endif
  if (has_cleared) rl_last_func = NULL;
  return has_cleared;
#else
  return 0;
#endif
}

// The handler's place in `struct sigaction` has another name in every C library.
static inline int creadline_handle_signal(
    int number, void (*handler)(int), int once, struct sigaction *old) {
  struct sigaction action;
  memset(&action, 0, sizeof action);
  action.sa_handler = handler;
  action.sa_flags = SA_RESTART | (once ? SA_RESETHAND : 0);
  sigemptyset(&action.sa_mask);
  return sigaction(number, &action, old);
}

static inline int creadline_is_default(const struct sigaction *action) {
  return action->sa_handler == SIG_DFL;
}

#endif
